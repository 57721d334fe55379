package rubricem.http.server.research;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import rubricem.http.server.Edge;
import rubricem.http.server.Problem;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeView;

/**
 * Finds an episode by what somebody wrote into a path. It is read from what is stored, also while it
 * runs: that says all there is to say, wakes nothing, costs nothing where the id is invented, and
 * is not held up by the episodes that are being worked on.
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

  /** As stored, with its report. */
  public CompletionStage<EpisodeView> stored(EpisodeId id) {
    return edge.ports().index().stored(id)
        .thenApply(view -> view.orElseThrow(() -> unknown().refusal()));
  }

  public static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
