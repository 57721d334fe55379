package rubricem.app.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;

/**
 * Makes the dispatchers that a person has set something of, or named in the place of another. Pekko
 * makes each when the first actor wants it, and one that cannot be made is then a silence: an
 * episode that never answers. Made at the start, it ends the start.
 */
final class GivenDispatchers {
  private GivenDispatchers() {}

  /** @throws RuntimeException of Pekko, where one cannot be made */
  static void make(ActorSystem<?> system) {
    Config config = system.settings().config();
    Map<String, ConfigValue> given = PekkoKeys.given(config);
    List<String> dispatchers =
        Stream.concat(
                given.entrySet().stream()
                    .filter(entry -> entry.getKey().endsWith("-dispatcher"))
                    .map(entry -> String.valueOf(entry.getValue().unwrapped()))
                    .filter(name -> !name.isBlank()),
                given.keySet().stream()
                    .flatMap(key -> PekkoKeys.around(key).stream())
                    .filter(section -> isDispatcher(config, section)))
            .distinct().toList();
    for (String dispatcher : dispatchers) {
      // an executor is made for its first task, and not before
      system.dispatchers().lookup(DispatcherSelector.fromConfig(dispatcher)).execute(() -> {});
    }
  }

  private static boolean isDispatcher(Config config, String path) {
    if (!config.hasPath(path)
        || config.getValue(path).valueType() != ConfigValueType.OBJECT) {
      return false;
    }
    ConfigObject section = config.getObject(path);
    return section.containsKey("type") && section.containsKey("executor");
  }
}
