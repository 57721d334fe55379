package rubricem.protocol.episode;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.port.StorageUnavailable;

/**
 * The episodes of this cluster, as an edge sees them. A stage fails with {@link UnknownEpisode}
 * where there is none of that id, with {@link Refused} where the episode says no, and with
 * {@link NotStored} where nothing was done because it could not be stored; any other failure means
 * that it is not known whether the command arrived, and it may be sent again.
 */
public interface Episodes {
  /** Starts it; the same request again gives the same episode, another one is refused. */
  CompletionStage<EpisodeView> start(EpisodeId id, EpisodeRequest request);

  CompletionStage<EpisodeView> describe(EpisodeId id);

  /** Ends it within two seconds; one that has ended is left alone. */
  CompletionStage<EpisodeView> cancel(EpisodeId id);

  /** Stops exploring and writes from the evidence. */
  CompletionStage<EpisodeView> finish(EpisodeId id);

  /**
   * Tells {@code watcher} everything from event {@code after} on until the episode ends; the watcher
   * must not block. Nothing is buffered here: a slow reader keeps what it needs to know and reads
   * events again from the event log.
   */
  Watch watch(EpisodeId id, long after, Consumer<EpisodeProgress> watcher);

  /** Ends a watch; may be called twice. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  /** There is no such episode. */
  final class UnknownEpisode extends RuntimeException {
    public UnknownEpisode(EpisodeId id) {
      super("There is no episode " + id + ".");
    }
  }

  /** The episode refused the command; the message says why. */
  final class Refused extends RuntimeException {
    public Refused(String message) {
      super(message);
    }
  }

  /** What is stored cannot be written or read now, so nothing was done. */
  final class NotStored extends StorageUnavailable {
    /** How an episode says it: an answer between nodes is a text. */
    public static final String SAID = 
        "nothing was done: what is stored cannot be used now, and the log says why";

    public NotStored() {
      super(SAID);
    }
  }
}
