package rubricem.app.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigValueType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The least and the most of every number and every time that a user may set, as {@code bounds.conf}
 * has them, and what must hold between two of them. What cannot be read at all is for others to
 * say.
 */
final class ConfigBounds {
  private static final Config BOUNDS = ConfigFactory.parseResources("bounds.conf").resolve();

  private static final String IDLE = "rubricem.server.idle-timeout";
  private static final String PATIENCE = "rubricem.server.openai.answer-patience";
  private static final String HEARTBEAT = "rubricem.server.heartbeat";

  private ConfigBounds() {}

  /** Every key that has bounds. */
  static Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    BOUNDS.entrySet().forEach(entry -> keys.add(entry.getKey()));
    return keys;
  }

  /** What is wrong with the value of a key; empty where nothing is. */
  static Optional<String> problem(Config config, String key) {
    try {
      ConfigList bounds = BOUNDS.getList(key);
      boolean time = bounds.get(0).valueType() == ConfigValueType.STRING;
      double least = amount(bounds.get(0).atKey("v"), "v", time);
      double most = amount(bounds.get(1).atKey("v"), "v", time);
      double given = amount(config, key, time);
      // so said, NaN lies nowhere
      if (!(given >= least && given <= most)) {
        return Optional.of(
            "it is " + config.getString(key) + ", and goes from " + said(bounds, 0) + " to "
                + said(bounds, 1));
      }
      return between(config, key);
    } catch (ConfigException unreadable) {
      return Optional.empty();
    }
  }

  /** HOCON takes NaN and Infinity for numbers, and a whole number that is NaN for 0. */
  static Optional<String> endless(Config config, String key) {
    try {
      return Double.isFinite(config.getDouble(key))
          ? Optional.empty()
          : Optional.of("it is " + config.getString(key) + ", and must be a finite number");
    } catch (ConfigException noNumber) {
      return Optional.empty();
    }
  }

  private static Optional<String> between(Config config, String key) {
    if (!key.equals(IDLE)) {
      return Optional.empty();
    }
    for (String shorter : List.of(PATIENCE, HEARTBEAT)) {
      if (config.getDuration(IDLE).compareTo(config.getDuration(shorter)) <= 0) {
        return Optional.of(
            "it is " + config.getString(IDLE) + ", and has to be longer than " + shorter + ", "
                + config.getString(shorter) + ", or it would cut what waits");
      }
    }
    return Optional.empty();
  }

  private static String said(ConfigList bounds, int index) {
    return String.valueOf(bounds.get(index).unwrapped());
  }

  private static double amount(Config config, String key, boolean time) {
    return time ? config.getDuration(key).toMillis() : config.getNumber(key).doubleValue();
  }
}
