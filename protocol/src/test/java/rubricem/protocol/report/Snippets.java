package rubricem.protocol.report;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import rubricem.protocol.CallId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;

/** Retrieved passages for tests. */
final class Snippets {
  private Snippets() {}

  static Snippet of(int n, String url, String text) {
    return new Snippet(
        "S_" + n, CallId.parse("e/" + n), "corpus",
        new Passage("doc" + n, "Title " + n, url, "p. " + n, 0, text.length(), text, 1,
            Optional.empty()));
  }

  /** {@code S_1} … {@code S_n} at {@code https://real.example/1} and so on. */
  static List<Snippet> some(int n) {
    return IntStream.rangeClosed(1, n)
        .mapToObj(i -> of(i, "https://real.example/" + i, "Passage " + i + " says so."))
        .toList();
  }
}
