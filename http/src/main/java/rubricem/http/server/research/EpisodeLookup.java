package rubricem.http.server.research;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import rubricem.http.server.Edge;
import rubricem.http.server.Problem;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;

/**
 * Finds an episode by what somebody wrote into a path. One that runs is asked itself; any other is
 * read from what is stored, so that a look at it wakes nothing and an invented id costs nothing.
 */
public final class EpisodeLookup {
  /** The form of every id we make; anything else is not looked for. */
  private static final Pattern FORM = Pattern.compile("e[0-9a-hjkmnp-tv-z]{26}");

  private final Edge edge;

  public EpisodeLookup(Edge edge) {
    this.edge = edge;
  }

  /** The id, if it can be one. */
  public static EpisodeId id(String text) {
    if (!FORM.matcher(text).matches()) {
      throw unknown().refusal();
    }
    return new EpisodeId(text);
  }

  static Problem unknown() {
    return Problem.of(
        Problem.Kind.UNKNOWN_EPISODE, "GET /v1/research lists the episodes of this server.");
  }

  public CompletionStage<EpisodeView> find(EpisodeId id) {
    return edge.active().contains(id)
        ? edge.ports().episodes().describe(id).exceptionallyCompose(failure -> missed(id, failure))
        : stored(id);
  }

  private CompletionStage<EpisodeView> missed(EpisodeId id, Throwable failure) {
    return cause(failure) instanceof Episodes.UnknownEpisode
        ? stored(id)
        : CompletableFuture.failedStage(failure);
  }

  /** As stored, with its report. */
  public CompletionStage<EpisodeView> stored(EpisodeId id) {
    return edge.ports().index().stored(id)
        .thenApply(view -> view.orElseThrow(() -> unknown().refusal()));
  }

  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
