package rubricem.protocol.scaffold;

import java.util.Optional;

public final class StopScanner {
  public StopScanner() {}

  /** For a service that has already written the start tag of think into the prompt. */
  public static StopScanner insideThink() {
    throw new UnsupportedOperationException("not written yet");
  }

  /** The part of {@code chunk} that belongs to the turn; nothing after the stop. */
  public String feed(String chunk) {
    throw new UnsupportedOperationException("not written yet");
  }

  public boolean stopped() {
    throw new UnsupportedOperationException("not written yet");
  }

  /** The turn's text so far, up to and including the stop. */
  public String text() {
    throw new UnsupportedOperationException("not written yet");
  }

  /** The stream is over: the turn's text. */
  public String finish() {
    throw new UnsupportedOperationException("not written yet");
  }

  /** The innermost element that is open now. */
  public Optional<String> openTag() {
    throw new UnsupportedOperationException("not written yet");
  }
}
