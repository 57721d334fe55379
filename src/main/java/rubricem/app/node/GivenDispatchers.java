package rubricem.app.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValueType;
import java.util.List;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;

/**
 * Makes the dispatchers that a person has set something of. Pekko makes each when the first actor
 * wants it, and one that cannot be made is then a silence: an episode that never answers. Made at
 * the start, it ends the start.
 */
final class GivenDispatchers {
  private GivenDispatchers() {}

  /** @throws RuntimeException of Pekko, where one cannot be made */
  static void make(ActorSystem<?> system) {
    Config config = system.settings().config();
    List<String> dispatchers =
        PekkoKeys.given(config).keySet().stream()
            .flatMap(key -> PekkoKeys.around(key).stream())
            .filter(section -> isDispatcher(config, section))
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
