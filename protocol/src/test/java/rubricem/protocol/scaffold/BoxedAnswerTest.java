package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BoxedAnswerTest {
  static Stream<Arguments> boxes() {
    return Stream.of(
        Arguments.of("\\boxed{42}", "42"),
        Arguments.of("so \\boxed{ \\frac{1}{2} }.", "\\frac{1}{2}"),
        Arguments.of("\\boxed{a}, no: \\boxed{b}", "b"),
        Arguments.of("\\boxed{a \\boxed{b} c}", "a \\boxed{b} c"),
        Arguments.of("\\boxed{\\{1, 2\\}}", "\\{1, 2\\}"),
        Arguments.of("\\boxed {x}", "x"),
        Arguments.of("{ \\boxed{x}", "x"),
        Arguments.of("\\boxed{x} }{", "x"),
        Arguments.of("\\boxed{\\boxed{x}", "x"),
        Arguments.of("\\boxed{}", ""),
        Arguments.of("\\boxed{a{b}", null),
        Arguments.of("\\boxed", null),
        Arguments.of("\\\\boxed{x}", null),
        Arguments.of("boxed{x}", null),
        Arguments.of("", null),
        Arguments.of("\\", null));
  }

  @ParameterizedTest
  @MethodSource("boxes")
  void reads_the_last_closed_box(String text, String content) {
    assertEquals(Optional.ofNullable(content), BoxedAnswer.extract(text));
  }

  @Test
  void unclosed_boxes_take_linear_time() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> assertEquals(Optional.empty(), BoxedAnswer.extract("\\boxed{".repeat(1_400_000))));
  }
}
