package rubricem.app.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keys that Pekko and its plugins would take another value of and the program cannot: with one of
 * them it would wait without a word, or read stored episodes as others. The value that holds
 * without it may be written out.
 */
final class FixedKeys {
  private static final String JOURNAL = "episodes are stored by the program's own journal";
  private static final String ALONE = "one node at a time runs on a data folder or database";
  private static final String LOG = "what Pekko logs belongs into the program's log";

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
          value(whole, key).filter(v -> v.unwrapped() instanceof Number n && n.longValue() < 1);
      if (none.isPresent()) {
        return Optional.of(
            new Other(key, none.get(), "it is " + none.get().unwrapped() + ", and at least 1"));
      }
    }
    for (Map.Entry<String, String> fixed : new TreeMap<>(REASONS).entrySet()) {
      Optional<ConfigValue> given =
          value(whole, fixed.getKey()).filter(value -> value.origin().resource() == null);
      if (given.isPresent()) { // nothing is read a second time where nobody set anything
        ConfigValue ours = value(shipped(), fixed.getKey()).orElseThrow();
        if (!ours.equals(given.get())) {
          return Optional.of(new Other(fixed.getKey(), given.get(), problem(ours, fixed)));
        }
      }
    }
    return Optional.empty();
  }

  private static String problem(ConfigValue ours, Map.Entry<String, String> fixed) {
    return "it is always " + ours.render(ConfigRenderOptions.concise()) + ", for "
        + fixed.getValue() + "; remove it";
  }

  private static Config shipped() {
    return ConfigFactory.parseResourcesAnySyntax("application")
        .withFallback(ConfigFactory.parseResources("reference.conf"))
        .resolve(ConfigResolveOptions.defaults().setAllowUnresolved(true));
  }

  /** Where a section around it is none, or it is null, Pekko refuses that in its own words. */
  private static Optional<ConfigValue> value(Config whole, String key) {
    try {
      return Optional.of(whole.getValue(key));
    } catch (ConfigException unreadable) {
      return Optional.empty();
    }
  }
}
