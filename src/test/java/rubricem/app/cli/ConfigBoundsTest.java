package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** No number that means nothing is begun with. */
class ConfigBoundsTest {
  private static final Config DEFAULTS = ConfigFactory.load();
  private static final Config OURS =
      ConfigFactory.parseResources("reference.conf").resolve().getConfig("rubricem");

  @TempDir Path scratch;

  private static boolean isAmount(ConfigValue value) {
    return value.valueType() == ConfigValueType.NUMBER
        || value.valueType() == ConfigValueType.STRING
            && value.unwrapped().toString().matches("\\d+ ?(ms|s|minutes?|hours?|days?)");
  }

  @Test
  void every_number_and_time_of_the_reference_has_bounds_and_nothing_else_has() {
    Set<String> amounts = new TreeSet<>();
    OURS.entrySet().stream()
        .filter(entry -> isAmount(entry.getValue()))
        .forEach(entry -> amounts.add("rubricem." + entry.getKey()));
    assertEquals(amounts, ConfigBounds.keys());
    assertTrue(amounts.size() > 90, "" + amounts.size());
  }

  static Set<String> keys() {
    return ConfigBounds.keys();
  }

  @ParameterizedTest
  @MethodSource("keys")
  void defaults_lie_within_and_less_than_the_least_does_not(String key) throws IOException {
    assertEquals(Optional.empty(), ConfigBounds.problem(DEFAULTS, key));
    boolean time = DEFAULTS.getValue(key).valueType() == ConfigValueType.STRING;
    isRefused(key + " = " + (time ? "-1 s" : "-1"), key, "(" + scratch);
  }

  @ParameterizedTest
  @CsvSource({
    "rubricem.server.heartbeat = 0 s, it is 0 s",
    "rubricem.server.active-max = -5, it is -5",
    "rubricem.server.connections-max = 0, from 1 to 1000000",
    "rubricem.server.mcp.wait-max = 10 minutes, from 0 s to 29 s",
    "rubricem.server.idle-timeout = 5 s, longer than rubricem.server.openai.answer-patience",
    "rubricem.episode.finish-reserve = 7, from 0 to 0.9",
    "rubricem.episode.limits.tool-calls = 0, from 1 to",
    "rubricem.corpus.passage-words = 0, from 20 to",
    "rubricem.server.stream-share = NaN, it is NaN",
    "rubricem.generation.temperature = NaN, must be a finite number",
    "rubricem.generation.slots = NaN, must be a finite number",
    "rubricem.learner.sequence-rejection.high = Infinity, must be a finite number",
    "rubricem.learner.optimiser.weight-decay = Infinity, must be a finite number",
    "rubricem.episode.finish-reserve = Infinity, from 0 to 0.9",
    "rubricem.episode.limits.cost-usd = -Infinity, from 0 to",
  })
  void what_harms_is_said_with_its_bounds(String line, String said) throws IOException {
    isRefused(line, line.substring(0, line.indexOf(' ')), said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "origins = [\"*\"] | \"*\" is no origin. Write each one, such as \"https://lab.example\"",
        "origins = [\"null\"] | is no origin",
        "origins = [\"lab.example\"] | is no origin",
        "origins = [\"https://*.lab.example\"] | is no origin",
        "origins = [\"https://lab.example/\"] | Write \"https://lab.example\"",
        "origins = [\"https://lab.example/page?x\"] | Write \"https://lab.example\"",
        "origins = [\"HTTPS://lab.example:443\"] | Write \"HTTPS://lab.example\"",
        "origins = [\"http://lab.example:80\"] | Write \"http://lab.example\"",
        "origins = [\"https://lab.example\", \"\"] | \"\" is no origin",
        "hosts = [\"*\"] | \"*\" is no name of a host",
        "hosts = [\"https://lab.example\"] | such as \"lab.example\", without https://",
        "hosts = [\"lab.example:8080\"] | is no name of a host",
      })
  void a_name_that_no_browser_sends_is_refused_with_what_to_write(String line, String said)
      throws IOException {
    String key = "rubricem.server." + line.substring(0, line.indexOf(' '));
    isRefused("rubricem.server." + line, key + " (" + scratch, ", line 1)", said);
  }

  @Test
  void a_name_in_a_list_is_told_with_its_own_line() throws IOException {
    isRefused(
        "rubricem.server.origins = [\n  \"https://lab.example\"\n  \"*\"\n]",
        "rubricem.server.origins (" + scratch, ", line 3)");
  }

  private void isRefused(String line, String... parts) throws IOException {
    Path file = scratch.resolve("own.conf");
    Files.writeString(file, line);
    Told told = Told.by("episodes", "--config", file.toString());
    assertEquals(Failure.USAGE, told.code(), told.err());
    for (String part : parts) {
      assertTrue(told.err().contains(part), line + ": " + told.err());
    }
  }
}
