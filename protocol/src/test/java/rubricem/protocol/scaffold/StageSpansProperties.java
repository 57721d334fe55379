package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class StageSpansProperties {
  @Property(tries = 2000)
  void every_character_belongs_to_exactly_one_stage_and_stages_never_go_back(
      @ForAll("episodes") List<String> turns) {
    List<StageSpan> spans = StageSpans.of(turns);
    String whole =
        spans.stream()
            .map(s -> turns.get(s.turn()).substring(s.from(), s.to()))
            .collect(Collectors.joining());
    assertEquals(String.join("", turns), whole);
    for (int i = 0; i < spans.size(); i++) {
      StageSpan span = spans.get(i);
      assertTrue(span.from() < span.to());
      StageSpan before = i == 0 ? new StageSpan(-1, 0, 0, Stage.PLAN) : spans.get(i - 1);
      assertTrue(before.stage().compareTo(span.stage()) <= 0);
      assertEquals(before.turn() == span.turn() ? before.to() : 0, span.from());
      assertTrue(before.turn() < span.turn() || before.stage() != span.stage());
    }
  }

  @Provide
  Arbitrary<List<String>> episodes() {
    Arbitrary<String> printed = ScaffoldTexts.turns().map(ScaffoldPrinter::print);
    return Arbitraries.oneOf(printed, ScaffoldTexts.anything())
        .list()
        .ofMaxSize(5);
  }
}
