package rubricem.gpu.policy;

import rubricem.gpu.generate.TokenSink;
import rubricem.gpu.text.IncrementalText;
import rubricem.gpu.text.TokenBytes;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.scaffold.StopScanner;

/**
 * A turn as it is written: tokens become text, text goes to the watcher, and the turn ends where its
 * action closes. Fed by one thread, asked when the generation is over.
 */
final class TurnText implements TokenSink {
  private final IncrementalText text;
  private final StopScanner scanner = new StopScanner();
  private final GenerationWatcher watcher;

  TurnText(TokenBytes bytes, GenerationWatcher watcher) {
    text = new IncrementalText(bytes);
    this.watcher = watcher;
  }

  @Override
  public boolean isLast(int id) {
    feed(text.add(id));
    return scanner.stopped();
  }

  private void feed(String more) {
    String kept = more.isEmpty() ? "" : scanner.feed(more);
    if (!kept.isEmpty()) {
      watcher.onText(kept);
    }
  }

  /** The whole turn. */
  String finish() {
    feed(text.finish());
    return scanner.finish();
  }
}
