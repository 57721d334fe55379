package rubricem.app.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The keys that Pekko reads and a person has set, by a file or as system properties: what comes
 * with the program is a resource of it. Ours are checked before anything starts and are not here;
 * Pekko tells only by failing what it thinks of its own.
 */
public final class PekkoKeys {
  private static final List<String> SECTIONS =
      List.of("pekko", "rubricem.episode-dispatcher", "rubricem.journal", "rubricem.snapshots");

  private static final String PROPERTIES = "system properties";

  private PekkoKeys() {}

  /** Their values. */
  public static Map<String, ConfigValue> given(Config config) {
    Map<String, ConfigValue> given = new TreeMap<>();
    for (String section : SECTIONS) {
      config.getConfig(section).entrySet().stream()
          .filter(entry -> isGiven(entry.getValue().origin()))
          .forEach(entry -> given.put(section + "." + entry.getKey(), entry.getValue()));
    }
    return given;
  }

  /** What the program sets itself, or puts together of two resources, has neither. */
  private static boolean isGiven(ConfigOrigin origin) {
    return isProperty(origin) || origin.resource() == null && origin.filename() != null;
  }

  public static boolean isProperty(ConfigOrigin origin) {
    return origin.description().equals(PROPERTIES);
  }

  /** A key and the sections it stands in, from the inside out, without the outermost. */
  public static List<String> around(String key) {
    List<String> parts = ConfigUtil.splitPath(key);
    return IntStream.iterate(parts.size(), n -> n > 1, n -> n - 1)
        .mapToObj(n -> ConfigUtil.joinPath(parts.subList(0, n)))
        .toList();
  }
}
