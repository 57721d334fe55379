package rubricem.app.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import rubricem.app.node.NodeSettings;

/** The options every command has. */
public final class CommonOptions {
  @Option(
      names = "--config", paramLabel = "FILE",
      description = {
        "Settings (HOCON) laid over the defaults, which",
        "src/main/resources/reference.conf explains."
      })
  private Path config;

  @Option(
      names = "--data-dir", paramLabel = "DIR",
      description = "Where everything is kept: episodes, index, log. Default: ./data")
  private Path dataDir;

  @Option(names = "--json", description = "JSON on standard output, and nothing else there.")
  boolean json;

  @Option(names = "--quiet", description = "No progress on standard error.")
  boolean quiet;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Shows this help.")
  private boolean help;

  private Config loaded;

  Console console() {
    return Console.of(quiet);
  }

  /** The whole configuration: the user's file over ours over Pekko's. */
  Config config() {
    if (loaded == null) {
      loaded = load();
    }
    return loaded;
  }

  private Config load() {
    if (dataDir != null && dataDir.toString().isBlank()) {
      throw Failure.usage("--data-dir is empty. Name a folder, or leave it away for ./data.");
    }
    Config defaults = ConfigFactory.load();
    Config base = config == null ? defaults : UserConfig.over(defaults, config);
    UserConfig.refuseOutOfBounds(base);
    return dataDir == null
        ? base
        : base.withValue(
            "rubricem.data-dir", ConfigValueFactory.fromAnyRef(dataDir.toString()));
  }

  /** Refuses to begin what the disk has no room for: half way there is more to tidy up. */
  static void checkRoom(NodeSettings settings) {
    String lacking = settings.room().lackingIn(settings.dataDir());
    if (!lacking.isEmpty()) {
      throw Failure.work(lacking);
    }
  }

  NodeSettings settings() {
    try {
      return NodeSettings.of(config());
    } catch (ConfigException e) {
      throw Failure.usage("The configuration cannot be used: " + e.getMessage());
    }
  }
}
