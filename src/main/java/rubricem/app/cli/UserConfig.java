package rubricem.app.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.PekkoKeys;
import rubricem.app.node.TrainingConfig;
import rubricem.http.server.NameSyntax;
import rubricem.persistence.journal.DatabaseSettings;

/**
 * A user's configuration over ours. A key of ours that does not exist is refused and not ignored,
 * and whatever is refused is named with its file and line. Keys of Pekko are its own to judge when
 * it starts ({@link StartProblem}), but for the levels of its log, which it does not refuse in words,
 * and for what the program stands on ({@link FixedKeys}).
 */
final class UserConfig {
  private static final String OURS = "rubricem";
  private static final String PEKKO = "pekko";
  private static final Set<String> LEVELS = Set.of("OFF", "ERROR", "WARNING", "INFO", "DEBUG");

  private final Config defaults;
  private final Config whole;

  private UserConfig(Config defaults, Config whole) {
    this.defaults = defaults;
    this.whole = whole;
  }

  /** Reads {@code file} and lays it over the defaults. */
  static Config over(Config defaults, Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw Failure.usage("The configuration file " + file + " cannot be read.");
    }
    Config given;
    try {
      // a file without a folder before its name has none to look for others in
      Path placed = file.getParent() == null ? Path.of(".").resolve(file) : file;
      given = ConfigFactory.parseFile(placed.toFile(), StrictIncluder.options());
    } catch (ConfigException e) {
      throw Failure.usage("The configuration file is not HOCON: " + e.getMessage());
    }
    Config whole;
    try {
      whole = given.withFallback(defaults).resolve();
    } catch (ConfigException e) {
      throw Failure.usage("The configuration cannot be used: " + e.getMessage());
    }
    UserConfig read = new UserConfig(defaults, whole);
    read.refuseUnknown(given.root());
    refuseOutOfBounds(whole); // before settings are made of it, which take it for granted
    read.refuseWrong();
    return whole;
  }

  /** Also for what the environment says. */
  static void refuseOutOfBounds(Config whole) {
    for (String key : ConfigBounds.keys()) {
      Optional<String> problem = ConfigBounds.problem(whole, key);
      if (problem.isPresent()) {
        throw wrong(ConfigUtil.splitPath(key), whole.getValue(key).origin(), problem.get());
      }
    }
    refuseNames(whole, OURS + ".server.hosts", NameSyntax::host);
    refuseNames(whole, OURS + ".server.origins", NameSyntax::origin);
    refuseLevel(whole, PEKKO + ".loglevel");
    refuseLevel(whole, PEKKO + ".stdout-loglevel");
    FixedKeys.other(whole).ifPresent(
        other -> {
          throw wrong(ConfigUtil.splitPath(other.key()), other.given().origin(), other.problem());
        });
  }

  private static void refuseLevel(Config whole, String key) {
    ConfigValue value = whole.getValue(key);
    if (!LEVELS.contains(String.valueOf(value.unwrapped()).toUpperCase(Locale.ROOT))) {
      throw wrong(
          ConfigUtil.splitPath(key), value.origin(),
          "it must be one of OFF, ERROR, WARNING, INFO and DEBUG");
    }
  }

  /** A name that matches nothing would keep out whom it was written for, without a word. */
  private static void refuseNames(
      Config whole, String key, Function<String, Optional<String>> syntax) {
    ConfigList names;
    try {
      whole.getStringList(key);
      names = whole.getList(key);
    } catch (ConfigException unreadable) {
      return; // said by refuseWrong
    }
    for (ConfigValue name : names) {
      Optional<String> problem = syntax.apply(String.valueOf(name.unwrapped()));
      if (problem.isPresent()) {
        throw wrong(ConfigUtil.splitPath(key), name.origin(), problem.get());
      }
    }
  }

  private void refuseUnknown(ConfigObject given) {
    for (Map.Entry<String, ConfigValue> top : given.entrySet()) {
      if (!top.getKey().equals(OURS) && !top.getKey().equals(PEKKO)) {
        throw unknown(firstLeaf(List.of(top.getKey()), top.getValue()));
      }
    }
    compare(List.of(OURS), whole.root().get(OURS), defaults.root().get(OURS));
  }

  private void compare(List<String> path, ConfigValue given, ConfigValue known) {
    boolean section = known.valueType() == ConfigValueType.OBJECT;
    if (section != (given.valueType() == ConfigValueType.OBJECT)) {
      throw wrong(path, given.origin(), section ? "it is a section of keys" : "it is no section");
    }
    if (!section) {
      return;
    }
    for (Map.Entry<String, ConfigValue> entry : ((ConfigObject) given).entrySet()) {
      List<String> below = below(path, entry.getKey());
      ConfigValue expected = ((ConfigObject) known).get(entry.getKey());
      if (expected != null) {
        compare(below, entry.getValue(), expected);
      } else if (!isPlugin((ConfigObject) known)) {
        throw unknown(firstLeaf(below, entry.getValue()));
      }
    }
  }

  /** What Pekko loads by its class takes more keys from Pekko's own defaults. */
  private static boolean isPlugin(ConfigObject section) {
    return section.containsKey("class");
  }

  private record Leaf(List<String> path, ConfigOrigin origin) {}

  /** The whole key as the user wrote it: {@code a.b = 1} is wrong at {@code a.b}, not at a. */
  private static Leaf firstLeaf(List<String> path, ConfigValue value) {
    if (value instanceof ConfigObject section && section.size() == 1) {
      Map.Entry<String, ConfigValue> only = section.entrySet().iterator().next();
      return firstLeaf(below(path, only.getKey()), only.getValue());
    }
    return new Leaf(path, value.origin());
  }

  private static List<String> below(List<String> path, String key) {
    List<String> below = new ArrayList<>(path);
    below.add(key);
    return List.copyOf(below);
  }

  private Failure unknown(Leaf leaf) {
    String key = ConfigUtil.joinPath(leaf.path());
    return Failure.usage(
        "The configuration key " + key + at(leaf.origin()) + " is not known."
            + NearestKey.to(key, known(OURS)).or(() -> NearestKey.to(key, known(PEKKO)))
                .map(near -> " Did you mean " + near + "?")
                .orElseGet(() -> neighbours(leaf.path())));
  }

  /** What the nearest section that there is has, as far as a line can say it. */
  private String neighbours(List<String> path) {
    ConfigObject section = defaults.root();
    List<String> at = List.of();
    for (String part : path) {
      if (!(section.get(part) instanceof ConfigObject below)) {
        break;
      }
      section = below;
      at = below(at, part);
    }
    String all = "src/main/resources/reference.conf and learner.conf list all.";
    return at.isEmpty() || !at.getFirst().equals(OURS)
        ? " " + all
        : " " + ConfigUtil.joinPath(at) + " has "
            + String.join(", ", NearestKey.first(path.get(at.size()), section.keySet()))
            + (section.size() > NearestKey.SHOWN ? " and others; " : "; ") + all;
  }

  private List<String> known(String root) {
    return defaults.getConfig(root).entrySet().stream().map(e -> root + "." + e.getKey()).toList();
  }

  /** One value after the other is tried alone: so it is known which of them cannot be read. */
  private void refuseWrong() {
    for (Map.Entry<String, ConfigValue> entry : whole.getConfig(OURS).entrySet()) {
      String path = OURS + "." + entry.getKey();
      boolean changed =
          !defaults.hasPath(path) || !defaults.getValue(path).equals(entry.getValue());
      Optional<String> problem =
          changed
              ? ConfigBounds.endless(whole, path)
                  .or(() -> problem(defaults.withValue(path, entry.getValue())))
              : Optional.empty();
      if (problem.isPresent()) {
        throw wrong(ConfigUtil.splitPath(path), entry.getValue().origin(), problem.get());
      }
    }
  }

  private static Optional<String> problem(Config config) {
    try {
      NodeSettings.of(config);
      DatabaseSettings.of(config);
      TrainingConfig.of(config);
      return Optional.empty();
    } catch (ConfigException e) {
      String said = String.valueOf(e.getMessage());
      String origin = e.origin() == null ? "" : e.origin().description() + ": ";
      return Optional.of(said.startsWith(origin) ? said.substring(origin.length()) : said);
    }
  }

  private static Failure wrong(List<String> path, ConfigOrigin origin, String reason) {
    return Failure.usage(
        "The configuration key " + ConfigUtil.joinPath(path) + at(origin) + " cannot be used: "
            + reason + ".");
  }

  static String at(ConfigOrigin origin) {
    if (origin.filename() == null) {
      return PekkoKeys.isProperty(origin) ? " (a system property)" : "";
    }
    return " (" + origin.filename()
        + (origin.lineNumber() > 0 ? ", line " + origin.lineNumber() : "") + ")";
  }
}
