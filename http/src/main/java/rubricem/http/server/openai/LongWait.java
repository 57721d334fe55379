package rubricem.http.server.openai;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import rubricem.http.server.Edge;
import rubricem.http.server.Problem;
import rubricem.http.server.research.StoredStory;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeView;

/**
 * Waits for a report on behalf of a client that asked without stream. When that takes too long, the
 * client is asked to send the request again, which then waits for the same episode.
 */
final class LongWait {
  private final StoredStory stories;
  private final Duration patience;

  LongWait(Edge edge, Duration patience) {
    this.stories = new StoredStory(edge);
    this.patience = patience;
  }

  CompletionStage<EpisodeView> ended(EpisodeId id) {
    return stories.ended(id, patience)
        .thenApply(
            ended ->
                ended.orElseThrow(
                    () ->
                        Problem.of(
                                Problem.Kind.TOO_SLOW,
                                "Episode " + id + " goes on. Send the same request again and it is"
                                    + " waited for, or ask with stream or background.")
                            .with("Retry-After", "1").refusal()));
  }
}
