package rubricem.http.llm;

import java.util.List;

/**
 * Collects a turn's text as it streams in and knows where its action ends, also when the stop text
 * is cut over several deltas. Stop texts inside the leading {@code <think>} do not count: thinking
 * about a call is no call.
 */
final class ActionEnd {
  private static final String THINK = "<think>";
  private static final String THINK_END = "</think>";

  private final List<String> stops;
  private final int longest;
  private final StringBuilder text = new StringBuilder();
  private int scanned;
  private int bodyStart = -1;
  private int end = -1;

  ActionEnd(List<String> stops) {
    this.stops = stops;
    this.longest = stops.stream().mapToInt(String::length).max().orElse(0);
  }

  void append(String delta) {
    text.append(delta);
    if (bodyStart < 0) {
      bodyStart = findBody();
    }
    if (end < 0 && bodyStart >= 0) {
      end = findEnd(Math.max(bodyStart, scanned - longest));
    }
    scanned = text.length();
  }

  int length() {
    return text.length();
  }

  boolean ended() {
    return end >= 0;
  }

  /** Something more than blanks follows the action: a server that does not know stop texts. */
  boolean overrun() {
    return ended() && text.chars().skip(end).anyMatch(c -> !Character.isWhitespace(c));
  }

  int keptLength() {
    return ended() ? end : text.length();
  }

  /** What is kept from the {@code from}-th character on; empty past the action's end. */
  String keptFrom(int from) {
    return text.substring(Math.min(from, keptLength()), keptLength());
  }

  /** The text up to and with the stop text; all of it while none has come. */
  String kept() {
    return keptFrom(0);
  }

  private int findEnd(int from) {
    int earliest = -1;
    int length = 0;
    for (String stop : stops) {
      int at = text.indexOf(stop, from);
      if (at >= 0 && (earliest < 0 || at < earliest)) {
        earliest = at;
        length = stop.length();
      }
    }
    return earliest < 0 ? -1 : earliest + length;
  }

  private int findBody() {
    int start = 0;
    while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
      start++;
    }
    int seen = Math.min(THINK.length(), text.length() - start);
    if (!THINK.startsWith(text.substring(start, start + seen))) {
      return 0;
    }
    int close = text.indexOf(THINK_END, Math.max(0, scanned - THINK_END.length()));
    return seen < THINK.length() || close < 0 ? -1 : close + THINK_END.length();
  }
}
