package rubricem.actors.episode;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import rubricem.protocol.CallId;

/**
 * Replies as they were written for a policy, so that a turn does not write all those before it
 * again. Holds only what comes out the same every time, and may be emptied at any moment.
 */
final class ShownReplies {
  private final Map<CallId, String> texts = new ConcurrentHashMap<>();

  /** The reply to a turn, written by {@code writer} where it is not at hand. */
  String of(CallId turn, Supplier<String> writer) {
    return texts.computeIfAbsent(turn, id -> writer.get());
  }

  void forget() {
    texts.clear();
  }
}
