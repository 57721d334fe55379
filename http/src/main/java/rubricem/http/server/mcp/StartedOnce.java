package rubricem.http.server.mcp;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import rubricem.http.server.Edge;
import rubricem.http.server.EpisodeStarting;
import rubricem.http.server.EpisodeStarting.Started;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeStatus;

/**
 * Starts an episode for a call that may be made again: hosts cut calls off and repeat them. The
 * same key with the same arguments, or the same arguments in one session, mean one episode; one
 * that came to nothing is begun anew.
 */
final class StartedOnce {
  private static final String DIGEST = "mcp";

  private final Edge edge;
  private final Duration window;

  StartedOnce(Edge edge, Duration window) {
    this.edge = edge;
    this.window = window;
  }

  /** @param session empty where the host keeps none */
  CompletionStage<Started> start(ToolArguments.Start asked, String session) {
    String scope =
        asked.key().isEmpty()
            ? session.isEmpty()
                ? "w:" + edge.ports().clock().millis() / window.toMillis()
                : "s:" + session
            : "k:" + asked.key();
    String name = "mcp:" + EpisodeStarting.sha256(scope + "\n" + asked.asked());
    EpisodeId fresh = edge.ports().ids().get();
    return edge.ports().keys().claim(name, DIGEST, fresh)
        .thenCompose(
            claim ->
                claim.id().equals(fresh)
                    ? edge.starting().startAs(fresh, asked.request(), true)
                    : again(name, claim.id(), fresh, asked.request()));
  }

  private CompletionStage<Started> again(
      String name, EpisodeId known, EpisodeId fresh, EpisodeRequest request) {
    return edge.ports().index().stored(known)
        .thenCompose(
            stored -> {
              boolean cameToNothing =
                  stored.filter(
                          v -> v.status() == EpisodeStatus.FAILED
                              || v.status() == EpisodeStatus.CANCELLED)
                      .isPresent();
              return cameToNothing
                  ? edge.ports().keys().replace(name, DIGEST, fresh)
                      .thenCompose(c -> edge.starting().startAs(fresh, request, true))
                  : edge.starting().startAs(known, request, false);
            });
  }
}
