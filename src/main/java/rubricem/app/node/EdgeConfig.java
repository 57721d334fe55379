package rubricem.app.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.mcp.McpDoorSettings;
import rubricem.http.server.openai.OpenAiDoorSettings;
import rubricem.protocol.episode.EpisodeLimits;

/** The section {@code rubricem.server} of the configuration. */
public final class EdgeConfig {
  private EdgeConfig() {}

  /** @param host and {@code port}: what the command line says over the configuration */
  public static EdgeSettings settings(
      Config root, Optional<String> host, Optional<Integer> port) {
    Config c = root.getConfig("rubricem.server");
    return new EdgeSettings(
        host.orElseGet(() -> c.getString("host")),
        port.orElseGet(() -> c.getInt("port")),
        c.getStringList("hosts"),
        c.getStringList("origins"),
        c.getLong("body-bytes-max"),
        c.getDuration("body-patience"),
        new EdgeSettings.Connections(
            c.getInt("connections-max"), c.getDuration("head-patience"),
            c.getDuration("keep-alive-patience"), c.getDouble("stream-share")),
        c.getInt("active-max"),
        c.getDuration("retry-after"),
        c.getDuration("heartbeat"),
        c.getInt("events-at-once"),
        c.getDuration("stop-patience"));
  }

  /** Requests a new server asks itself before others do. */
  public static int rehearsal(Config root) {
    return root.getInt("rubricem.server.rehearsal-requests");
  }

  /**
   * The configuration of a node that answers over HTTP: its episodes leave cores to those who ask.
   *
   * @param cores of this machine
   */
  public static Config sharing(Config root, int cores) {
    double share = root.getDouble("rubricem.server.episode-threads-per-core");
    int threads = Math.max(1, (int) Math.round(share * cores));
    String pool = "rubricem.episode-dispatcher.fork-join-executor.";
    return root
        .withValue(pool + "parallelism-min", ConfigValueFactory.fromAnyRef(threads))
        .withValue(pool + "parallelism-max", ConfigValueFactory.fromAnyRef(threads));
  }

  public static NodeEdge.Doors doors(Config root) {
    Config openai = root.getConfig("rubricem.server.openai");
    Config mcp = root.getConfig("rubricem.server.mcp");
    return new NodeEdge.Doors(
        new OpenAiDoorSettings(
            openai.getDuration("answer-patience"), openai.getDuration("retry-window")),
        new McpDoorSettings(
            mcp.getDuration("wait-max"), mcp.getInt("report-chars-max"),
            mcp.getInt("passages-max"), mcp.getInt("listed"),
            mcp.getDuration("retry-window")));
  }

  /** The policies of the configuration; the first is the default. */
  public static List<String> policies(Config root) {
    return List.copyOf(root.getStringList("rubricem.server.policies"));
  }

  public static EdgeSettings.Offer offer(
      Config root, NodeSettings settings, List<String> policies, List<Path> roots) {
    Config max = root.getConfig("rubricem.server.limits-max");
    return new EdgeSettings.Offer(
        List.copyOf(policies), Set.of("corpus"), roots.stream().map(Path::toString).toList(),
        settings.limits(),
        new EpisodeLimits(
            max.getInt("tool-calls"), max.getLong("seconds"), max.getLong("tokens"),
            max.getDouble("cost-usd")),
        settings.questionCharsMax());
  }
}
