package rubricem.app.node;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import rubricem.protocol.port.StorageUnavailable;

/**
 * The commands to episodes that nobody has answered yet. Where the journal refuses writes, what
 * brings a command to its episode may fail before the episode hears of it, and says so to nobody:
 * whoever waits is then told here, and not by his own patience. Knows not whether a command was
 * carried out. As many as there are requests in flight, which the edge bounds.
 */
final class UnansweredCommands {
  private final Set<CompletableFuture<?>> waiting = ConcurrentHashMap.newKeySet();

  /** The reply, or the word that there will be none. */
  <T> CompletionStage<T> heard(CompletionStage<T> reply) {
    CompletableFuture<T> heard = new CompletableFuture<>();
    waiting.add(heard);
    reply.whenComplete(
        (value, failure) -> {
          waiting.remove(heard);
          if (failure == null) {
            heard.complete(value);
          } else {
            heard.completeExceptionally(
                failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure);
          }
        });
    return heard;
  }

  /** Nobody waits any longer. */
  void giveUp() {
    for (CompletableFuture<?> heard : waiting) {
      if (waiting.remove(heard)) {
        heard.completeExceptionally(new Unanswered());
      }
    }
  }

  /** The journal refused a write while the command was on its way; it may still be carried out. */
  static final class Unanswered extends StorageUnavailable {
    Unanswered() {
      super("the journal took no write before the command was answered; it may be sent again");
    }
  }
}
