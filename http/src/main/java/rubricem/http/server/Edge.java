package rubricem.http.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import rubricem.http.server.metrics.Metrics;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeIndex;
import rubricem.protocol.episode.Episodes;
import rubricem.protocol.episode.EventLog;
import rubricem.protocol.episode.RequestKeys;

/**
 * What every front door works with: the episodes and what is stored of them, what may be asked for,
 * how an episode is started, and the one place that knows whether the server takes new ones.
 */
public record Edge(
    Ports ports,
    EdgeSettings settings,
    EdgeSettings.Offer offer,
    EpisodeStarting starting,
    ActiveEpisodes active,
    OpenReaders readers,
    Readiness readiness,
    Metrics metrics) {

  /**
   * The world behind the edge.
   *
   * @param json the mapper of the program: snake case, ISO times
   * @param eventJson an event as one line of JSON with its number and kind
   * @param ids new episode ids
   * @param executor for what takes time, such as a PDF; must not be the actors' own
   */
  public record Ports(
      Episodes episodes,
      EpisodeIndex index,
      RequestKeys keys,
      EventLog events,
      ObjectMapper json,
      EventJson eventJson,
      Supplier<EpisodeId> ids,
      InstantSource clock,
      Executor executor) {}

  @FunctionalInterface
  public interface EventJson {
    String line(long sequence, EpisodeEvent event);
  }

  public static Edge of(Ports ports, EdgeSettings settings, EdgeSettings.Offer offer) {
    Metrics metrics = new Metrics();
    Readiness readiness = new Readiness();
    ActiveEpisodes active = new ActiveEpisodes(ports.episodes(), settings.activeMax(), metrics);
    return new Edge(
        ports, settings, offer,
        new EpisodeStarting(ports, active, readiness, settings.retryAfter()), active,
        new OpenReaders(metrics), readiness, metrics);
  }
}
