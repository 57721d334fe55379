package rubricem.http.llm;

import rubricem.protocol.scaffold.StopScanner;

/**
 * Collects a turn's text as it streams in, up to the end of its action, and notices when a server
 * that does not know stop texts goes on behind it. Where the action ends is the scaffold's
 * decision.
 */
final class ActionEnd {
  private final StopScanner scanner = new StopScanner();
  private int length;
  private boolean overrun;

  /** The part of {@code delta} that belongs to the turn. */
  String append(String delta) {
    String kept = scanner.feed(delta);
    length += delta.length();
    overrun |= scanner.stopped() && !delta.substring(kept.length()).isBlank();
    return kept;
  }

  /** How much was written, dropped text included: what the service will charge. */
  int length() {
    return length;
  }

  boolean ended() {
    return scanner.stopped();
  }

  /** Something more than blanks follows the action. */
  boolean overrun() {
    return overrun;
  }

  /** The stream is over: the text up to and with the stop text; all of it where none has come. */
  String finish() {
    return scanner.finish();
  }
}
