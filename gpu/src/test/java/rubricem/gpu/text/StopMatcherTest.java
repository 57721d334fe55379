package rubricem.gpu.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StopMatcherTest {
  @ParameterizedTest
  @CsvSource({
    "a</call>b,           </call>,        0, 1, 8",
    "aab,                 ab,             0, 1, 3",
    "aaab,                aab,            0, 1, 4",
    "abababc,             ababc,          0, 2, 7",
    "aabaaabaaac,         aabaaac,        0, 4, 11",
    "x</call_tool></call>, </call> </call_tool>, 1, 1, 13",
    "abcd,                bc abcd,        0, 1, 3",
    "abcd,                bcd abcd,       1, 0, 4",
    "abcd,                abcd bcd,       0, 0, 4",
    "\u00e9\u6771x,       \u6771,         0, 2, 5",
  })
  void the_stop_that_ends_first_is_found_at_its_bytes(
      String text, String stops, int stop, long from, long to) {
    for (int size = 1; size <= 4; size++) {
      StopMatcher matcher = new StopMatcher(List.of(stops.split(" ")));
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < bytes.length; i += size) {
        matcher.feed(Arrays.copyOfRange(bytes, i, Math.min(bytes.length, i + size)));
      }
      assertEquals(Optional.of(new StopMatcher.Hit(stop, from, to)), matcher.hit());
      assertEquals(from, matcher.settledBytes());
    }
  }

  @Test
  void what_may_still_become_a_stop_is_not_settled() {
    StopMatcher matcher = new StopMatcher(List.of("</answer>", "\n\n"));
    matcher.feed(bytes("text </ans"));
    assertEquals(5, matcher.settledBytes());
    matcher.feed(bytes("x\n"));
    assertEquals(11, matcher.settledBytes());
    matcher.feed(bytes("y"));
    assertEquals(13, matcher.settledBytes());
    assertEquals(Optional.empty(), matcher.hit());
  }

  @Test
  void without_stops_everything_is_settled_and_nonsense_is_refused() {
    StopMatcher matcher = new StopMatcher(List.of());
    matcher.feed(bytes("abc"));
    assertEquals(3, matcher.settledBytes());
    assertThrows(IllegalArgumentException.class, () -> new StopMatcher(List.of("a", "")));
    assertThrows(
        IllegalArgumentException.class, () -> new StopMatcher(Collections.nCopies(65, "a")));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
