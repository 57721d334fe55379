package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class BoxedAnswerProperties {
  @Property
  void text_around_it_does_not_matter(@ForAll int number) {
    assertEquals(Optional.of("" + number), BoxedAnswer.extract("} {x} \\boxed{" + number + "} }"));
  }
}
