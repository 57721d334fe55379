package rubricem.http.server;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import rubricem.protocol.episode.EpisodeLimits;

/**
 * The section {@code rubricem.server}.
 *
 * @param host what the server is bound to
 * @param port 0 takes a free one
 * @param hosts more names in {@code Host} that mean this server
 * @param origins more origins whose pages may drive it, such as {@code https://lab.example}
 * @param bodyBytesMax largest body
 * @param bodyPatience how long a body may take to arrive
 * @param connections how many, and how long one may ask for nothing
 * @param activeMax episodes at once
 * @param retryAfter what those beyond are told to wait
 * @param heartbeat a comment goes to a quiet event reader this often
 * @param eventsAtOnce stored events read at once for one reader; bounds its memory
 * @param stopPatience how long requests may go on once the server stops
 */
public record EdgeSettings(
    String host,
    int port,
    List<String> hosts,
    List<String> origins,
    long bodyBytesMax,
    Duration bodyPatience,
    Connections connections,
    int activeMax,
    Duration retryAfter,
    Duration heartbeat,
    int eventsAtOnce,
    Duration stopPatience) {

  /** The same at another address. */
  public EdgeSettings at(String otherHost, int otherPort) {
    return new EdgeSettings(
        otherHost, otherPort, hosts, origins, bodyBytesMax, bodyPatience, connections, activeMax,
        retryAfter, heartbeat, eventsAtOnce, stopPatience);
  }

  /**
   * What a connection may cost while nothing is asked over it.
   *
   * @param max open ones; each event reader has one
   * @param headPatience from the first moment of a connection until the head of a request is whole
   * @param keepAlivePatience from the end of an answer until the next head is whole
   * @param streamShare the part of them that may be event streams
   */
  public record Connections(
      int max, Duration headPatience, Duration keepAlivePatience, double streamShare) {
    public Connections {
      if (max < 1 || !headPatience.isPositive() || !keepAlivePatience.isPositive()
          || !(streamShare > 0)) {
        throw new IllegalArgumentException(
            "rubricem.server.connections-max, head-patience, keep-alive-patience and stream-share"
                + " must be above zero");
      }
    }

    int streamsMax() {
      return Math.max(1, (int) (max * streamShare));
    }
  }

  /**
   * What may be asked for.
   *
   * @param policies specifications; the first is the default
   * @param sources such as {@code corpus}
   * @param corpus what the source {@code corpus} means
   * @param limits what an episode may use when the asker does not say
   * @param limitsMax the most an asker may allow
   */
  public record Offer(
      List<String> policies,
      Set<String> sources,
      List<String> corpus,
      EpisodeLimits limits,
      EpisodeLimits limitsMax,
      int questionCharsMax) {}
}
