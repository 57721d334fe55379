package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the configuration of a server means for the node under it. */
class EdgeConfigTest {
  @ParameterizedTest
  @CsvSource({
    "1, 0.5, 1", "2, 0.5, 1", "3, 0.5, 2", "16, 0.5, 8", "4, 3, 12", "4, 0, 1", "4, -1, 1"
  })
  void episodes_leave_cores_to_those_who_ask(int cores, double share, int threads) {
    Config config =
        ConfigFactory.load()
            .withValue(
                "rubricem.server.episode-threads-per-core",
                ConfigValueFactory.fromAnyRef(share));
    Config pool =
        EdgeConfig.sharing(config, cores)
            .getConfig("rubricem.episode-dispatcher.fork-join-executor");
    assertEquals(threads, pool.getInt("parallelism-min"));
    assertEquals(threads, pool.getInt("parallelism-max"));
  }
}
