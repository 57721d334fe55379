package rubricem.app.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keys and sections of keys that Pekko and its plugins would take other values of and the program
 * cannot: with one of them it would wait without a word, end with another exit code, or read stored
 * episodes as others. The value that holds without it may be written out; a section takes no
 * further keys and loses none. What a file only refers to is not seen, where it stands in ours.
 */
final class FixedKeys {
  private static final String JOURNAL = "episodes are stored by the program's own journal";
  private static final String ALONE = "one node at a time runs on a data folder or database";
  private static final String LOG = "what Pekko logs belongs into the program's log";

  private static final String END = "the program itself decides how it ends";
  private static final String PARTS = "the program itself starts all that it consists of";

  private static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry("pekko.actor.provider", "episodes run in a cluster, be it of one node"),
          Map.entry("pekko.actor.serializers.durable", "stored events have one form"),
          Map.entry(
              "pekko.cluster.sharding.number-of-shards", "stored ids belong to shards for ever"),
          Map.entry("pekko.cluster.min-nr-of-members", ALONE),
          Map.entry("pekko.cluster.sharding.role", ALONE),
          Map.entry("pekko.cluster.sharding.remember-entities-store", JOURNAL),
          Map.entry("pekko.cluster.sharding.journal-plugin-id", JOURNAL),
          Map.entry("pekko.cluster.sharding.snapshot-plugin-id", JOURNAL),
          Map.entry("pekko.persistence.journal.plugin", JOURNAL),
          Map.entry("pekko.persistence.snapshot-store.plugin", JOURNAL),
          Map.entry("rubricem.journal.class", JOURNAL),
          Map.entry("rubricem.snapshots.class", JOURNAL),
          Map.entry("pekko.coordinated-shutdown", END),
          Map.entry("pekko.extensions", PARTS),
          Map.entry("pekko.library-extensions", PARTS),
          Map.entry("pekko.actor.typed.extensions", PARTS),
          Map.entry("pekko.actor.typed.library-extensions", PARTS),
          Map.entry("pekko.loggers", LOG),
          Map.entry("pekko.logging-filter", LOG));

  /** With none of it, or less, episodes wait for ever; Pekko takes it all the same. */
  private static final List<String> AT_LEAST_ONE =
      List.of(
          "pekko.persistence.max-concurrent-recoveries", "pekko.persistence.typed.stash-capacity");

  /** A key with a value that is not to be had, and what is wrong with that. */
  record Other(String key, ConfigValue given, String problem) {}

  private FixedKeys() {}

  static Optional<Other> other(Config whole) {
    for (String key : AT_LEAST_ONE) {
      Optional<ConfigValue> none =
          at(whole.root(), ConfigUtil.splitPath(key))
              .filter(v -> v.unwrapped() instanceof Number n && n.longValue() < 1);
      if (none.isPresent()) {
        return Optional.of(
            new Other(key, none.get(), "it is " + none.get().unwrapped() + ", and at least 1"));
      }
    }
    for (Map.Entry<String, String> fixed : new TreeMap<>(REASONS).entrySet()) {
      List<String> path = ConfigUtil.splitPath(fixed.getKey());
      Optional<ConfigValue> given = at(whole.root(), path).filter(FixedKeys::isSet);
      if (given.isPresent()) { // nothing is read a second time where nobody set anything
        Optional<Other> other =
            other(path, at(shipped().root(), path).orElse(null), given.get(), fixed.getValue());
        if (other.isPresent()) {
          return other;
        }
      }
    }
    return Optional.empty();
  }

  /** Whether somebody wrote this value or one below it. Of two equal values() would show one. */
  private static boolean isSet(ConfigValue value) {
    return value instanceof ConfigObject section && !section.isEmpty()
        ? section.entrySet().stream().anyMatch(below -> isSet(below.getValue()))
        : value.origin().resource() == null;
  }

  private static Optional<Other> other(
      List<String> path, @Nullable ConfigValue ours, ConfigValue given, String reason) {
    if (given instanceof ConfigObject section
        && (ours == null ? !section.isEmpty() : ours instanceof ConfigObject)) {
      return within(path, ours instanceof ConfigObject known ? known : null, section, reason);
    }
    if (ours == null) {
      return refused(path, given, "it is none of the keys there, which stay as they are", reason);
    }
    if (ours instanceof ConfigObject) {
      return refused(path, given, "it is a section of keys that stay as they are", reason);
    }
    return same(ours, given)
        ? Optional.empty()
        : refused(
            path, given, "it is always " + ours.render(ConfigRenderOptions.concise()), reason);
  }

  private static Optional<Other> within(
      List<String> path, @Nullable ConfigObject ours, ConfigObject given, String reason) {
    for (Map.Entry<String, ConfigValue> entry : new TreeMap<>(given).entrySet()) {
      List<String> below = new ArrayList<>(path);
      below.add(entry.getKey());
      Optional<Other> other =
          other(below, ours == null ? null : ours.get(entry.getKey()), entry.getValue(), reason);
      if (other.isPresent()) {
        return other;
      }
    }
    return ours == null || given.keySet().containsAll(ours.keySet())
        ? Optional.empty()
        : refused(path, given, "it is without keys that stay as they are", reason);
  }

  private static Optional<Other> refused(
      List<String> path, ConfigValue given, String problem, String reason) {
    return Optional.of(
        new Other(
            ConfigUtil.joinPath(path), written(given),
            problem + ", for " + reason + "; remove it"));
  }

  /** A list that adds to ours stands in two files, what it adds in one. */
  private static ConfigValue written(ConfigValue given) {
    return given instanceof ConfigList list && list.origin().filename() == null
        ? list.stream().filter(FixedKeys::isSet).findFirst().orElse(given)
        : given;
  }

  /** One switch, or one time, is written in more than one way. */
  private static boolean same(ConfigValue ours, ConfigValue given) {
    return ours.equals(given)
        || alike(ours, given, Config::getBoolean) || alike(ours, given, Config::getDuration);
  }

  private static boolean alike(
      ConfigValue ours, ConfigValue given, BiFunction<Config, String, Object> reading) {
    try {
      return reading.apply(ours.atKey("v"), "v").equals(reading.apply(given.atKey("v"), "v"));
    } catch (ConfigException neither) {
      return false;
    }
  }

  private static Config shipped() {
    return ConfigFactory.parseResourcesAnySyntax("application")
        .withFallback(ConfigFactory.parseResources("reference.conf"))
        .resolve(ConfigResolveOptions.defaults().setAllowUnresolved(true));
  }

  /** Also a null. Where a section around it is none, Pekko refuses that in its own words. */
  private static Optional<ConfigValue> at(ConfigObject root, List<String> path) {
    ConfigValue at = root;
    for (String key : path) {
      if (!(at instanceof ConfigObject section) || !section.containsKey(key)) {
        return Optional.empty();
      }
      at = section.get(key);
    }
    return Optional.of(at);
  }
}
