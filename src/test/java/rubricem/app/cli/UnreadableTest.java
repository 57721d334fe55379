package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rubricem.protocol.evidence.UnreadableKind;
import rubricem.protocol.port.CorpusStatus;

class UnreadableTest {
  private static String said(int count) {
    List<CorpusStatus.Unreadable> unread =
        IntStream.range(0, count)
            .mapToObj(i -> new CorpusStatus.Unreadable("d" + i, UnreadableKind.EMPTY, ""))
            .toList();
    return Unreadable.atStart(unread);
  }

  @Test
  void a_start_names_the_first_that_could_not_be_read_and_where_all_are_listed() {
    assertEquals("", said(0));
    assertEquals(
        "  1 document could not be read:\n    d0: " + UnreadableKind.EMPTY.reason(""), said(1));
    List<String> nine = said(9).lines().toList();
    assertEquals(7, nine.size());
    assertEquals("  9 documents could not be read:", nine.getFirst());
    assertEquals("    and 4 more; ./rubricem index PATH lists all", nine.getLast());
  }
}
