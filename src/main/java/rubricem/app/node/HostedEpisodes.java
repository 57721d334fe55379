package rubricem.app.node;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.pattern.StatusReply;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;

/**
 * The episodes of an {@link EpisodeHost} as an edge sees them: refusals have types. A command that
 * would have to be stored is refused at once while it is known that nothing can be: an episode
 * whose writes fail pauses between its tries, and whoever sent the command would wait for that.
 * One that is on its way when the first write fails is told by the host; see {@link
 * UnansweredCommands}.
 */
public final class HostedEpisodes implements Episodes {
  private final EpisodeHost host;
  private final BooleanSupplier refuses;

  /** @param refuses whether nothing can be stored now */
  public HostedEpisodes(EpisodeHost host, BooleanSupplier refuses) {
    this.host = host;
    this.refuses = refuses;
  }

  @Override
  public CompletionStage<EpisodeView> start(EpisodeId id, EpisodeRequest request) {
    return typed(id, host.start(id, request));
  }

  @Override
  public CompletionStage<EpisodeView> describe(EpisodeId id) {
    return typed(id, host.describe(id));
  }

  @Override
  public CompletionStage<EpisodeView> cancel(EpisodeId id) {
    return storable(id, host::cancel);
  }

  @Override
  public CompletionStage<EpisodeView> finish(EpisodeId id) {
    return storable(id, host::finish);
  }

  /** One that has ended has nothing more to store. */
  private CompletionStage<EpisodeView> storable(
      EpisodeId id, Function<EpisodeId, CompletionStage<EpisodeView>> command) {
    if (!refuses.getAsBoolean()) {
      return typed(id, command.apply(id));
    }
    return host.index().stored(id)
        .thenApply(
            stored -> {
              EpisodeView view = stored.orElseThrow(() -> new UnknownEpisode(id));
              if (!view.status().ended()) {
                throw new NotStored();
              }
              return view;
            });
  }

  /** An episode answers with an error where it refuses, where it is absent, or cannot be stored. */
  private static CompletionStage<EpisodeView> typed(
      EpisodeId id, CompletionStage<EpisodeView> reply) {
    return reply.exceptionally(
        failure -> {
          Throwable cause =
              failure instanceof CompletionException && failure.getCause() != null
                  ? failure.getCause()
                  : failure;
          if (cause instanceof StatusReply.ErrorMessage said) {
            throw error(id, said.getMessage());
          }
          throw new CompletionException(cause);
        });
  }

  private static RuntimeException error(EpisodeId id, String said) {
    if (said.equals(NotStored.SAID)) {
      return new NotStored();
    }
    return said.equals("there is no episode " + id) ? new UnknownEpisode(id) : new Refused(said);
  }

  @Override
  public Watch watch(EpisodeId id, long after, Consumer<EpisodeProgress> watcher) {
    return host.watch(id, after, watcher);
  }
}
