package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nonsense in keys that are Pekko's: what does not start is said with the key at fault and its
 * line, as wrong usage, without the trace of an exception.
 */
class StartProblemTest {
  @TempDir Path scratch;

  @BeforeEach
  void documents() throws IOException {
    Files.createDirectories(scratch.resolve("docs"));
    Files.writeString(scratch.resolve("docs/a.txt"), "The lamp is lit at sunset.");
  }

  private Told told(String command, String config) throws IOException {
    Path file = Files.writeString(scratch.resolve("own.conf"), config);
    List<String> args =
        List.of(
            command.equals("ask") ? "ask When is it lit?" : "serve --port 0",
            "--corpus", scratch + "/docs", "--data-dir", scratch + "/data", "--quiet",
            "--config", file.toString());
    return Told.by(
        args.stream()
            .flatMap(a -> a.startsWith("ask ") ? java.util.stream.Stream.of("ask", a.substring(4))
                : java.util.stream.Stream.of(a.split(" ")))
            .toArray(String[]::new));
  }

  private void assertRefused(Told told, String... parts) {
    assertEquals(Failure.USAGE, told.code(), told.err());
    for (String part : parts) {
      assertTrue(told.err().contains(part.replace("FILE", scratch + "/own.conf")), told.err());
    }
    assertFalse(told.err().contains("Exception"), told.err());
    assertFalse(told.err().contains("\tat "), told.err());
    assertEquals(1, told.err().strip().lines().count(), told.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pekko.actor.provider = 3 | always \"cluster\", for episodes run in a cluster",
        "pekko.actor.provider = local | always \"cluster\"",
        "pekko.loggers = [no.such.Logger] | belongs into the program's log",
        "pekko.logging-filter = none | belongs into the program's log",
        "pekko.persistence.journal.plugin = nope | the program's own journal",
        "pekko.persistence.snapshot-store.plugin = nope | the program's own journal",
        "pekko.cluster.sharding.number-of-shards = -3 | always 100, for stored ids",
        "rubricem.journal.class = no.such.Journal | the program's own journal",
        "pekko.cluster.min-nr-of-members = 3 | always 1, for one node at a time",
        "pekko.cluster.sharding.role = nobody | always \"\", for one node at a time",
        "pekko.coordinated-shutdown.default-phase-timeout = banana | always \"5 s\", for",
        "pekko.coordinated-shutdown.phases.service-unbind.timeout = lol | none of the keys there",
        "pekko.coordinated-shutdown.phases = x | it is a section of keys that stay as they are",
        "pekko.persistence.max-concurrent-recoveries = 0 | and at least 1",
        "pekko.persistence.typed.stash-capacity = -1 | it is -1, and at least 1",
      })
  void what_the_program_stands_on_is_not_for_others_to_set(String line, String said)
      throws IOException {
    String key = line.substring(0, line.indexOf(' '));
    assertRefused(told("ask", line), key + " (FILE, line 1) cannot be used: it is ", said);
    assertFalse(Files.exists(scratch.resolve("data")), "nothing was begun");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ask | pekko.actor.default-dispatcher.type = Nonsense | there is no class Nonsense",
        "ask | rubricem.episode-dispatcher.type = Nonsense | there is no class Nonsense",
        "ask | rubricem.episode-dispatcher.fork-join-executor.parallelism-max = -1 | :",
        "ask | pekko.actor.default-blocking-io-dispatcher.type = No | there is no class No",
        "ask | rubricem.journal.plugin-dispatcher = no.such | Dispatcher [no.such] not configured",
        "ask | pekko.cluster.roles = 5 | expecting: list",
        "ask | pekko.remote.artery.transport = udp | Unknown transport [udp]",
        "ask | pekko.actor.serializers.x = no.such.Form | there is no class no.such.Form",
        "ask | pekko.remote.artery.canonical.port = 99999999 | 0 through 65535",
        "ask | pekko.remote.artery.canonical.port = any | has type STRING rather than NUMBER",
        "ask | pekko.scheduler.tick-duration = soon | soon",
        "serve | pekko.http.server.remote-address-attribute = maybe | rather than BOOLEAN",
        "serve | pekko.http.server.pipelining-limit = many | rather than NUMBER",
        "serve | pekko.http.server.pipelining-limit = 0 | pipelining-limit",
        "serve | pekko.http.server.parsing = 3 | expecting: object",
      })
  void what_pekko_does_not_start_with_is_said_by_its_key(
      String command, String line, String said) throws IOException {
    String key = line.substring(0, line.indexOf(' '));
    assertRefused(
        told(command, line),
        "The configuration key " + key + " (FILE, line 1) cannot be used: ", said,
        "Correct it, or remove it");
  }

  @Test
  void among_several_keys_the_one_at_fault_is_named() throws IOException {
    Told told =
        told("ask", "pekko.loglevel = ERROR\npekko.actor.serializers.x = no.such.Form\n");
    assertRefused(told, "key pekko.actor.serializers.x (FILE, line 2)");
    assertFalse(told.err().contains("loglevel"), told.err());
  }

  @Test
  void where_the_failure_names_none_all_that_were_set_are_named() throws IOException {
    Config config =
        ConfigFactory.parseFile(
                Files.writeString(scratch.resolve("b.conf"), "pekko.b = 2\npekko.a = 1").toFile())
            .withFallback(ConfigFactory.load());
    String said =
        StartProblem.of(config, new IllegalStateException("broken")).orElseThrow();
    assertTrue(said.contains("One of the configuration keys pekko.a (" + scratch), said);
    assertTrue(said.contains(": broken. Correct"), said);
  }

  @Test
  void a_system_property_is_refused_as_a_file_is() {
    Config config =
        ConfigFactory.parseString("pekko.actor.provider = 3").withFallback(ConfigFactory.load());
    assertEquals("pekko.actor.provider", FixedKeys.other(config).orElseThrow().key());
    assertEquals(Optional.empty(), FixedKeys.other(ConfigFactory.load()));
  }

  private static final String END = "pekko.coordinated-shutdown";

  private Optional<FixedKeys.Other> other(String config) throws IOException {
    return FixedKeys.other(
        ConfigFactory.parseFile(
                Files.writeString(scratch.resolve("other.conf"), config).toFile())
            .withFallback(ConfigFactory.load()).resolve());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "END.exit-jvm = on | END.exit-jvm | 1",
        "END { exit-jvm = off, ~ exit-jvm = on } | END.exit-jvm | 2",
        "END.exit-code = 7 | END.exit-code | 1",
        "END.default-phase-timeout = null | END.default-phase-timeout | 1",
        "END = null | END | 1",
        "END = 5 | END | 1",
        "END = null ~ END { exit-jvm = off } | END | 2",
        "END.phases = null ~ END.phases {} | END.phases | 2",
        "END.phases.service-unbind.timeout = 5 s | END.phases.service-unbind.timeout | 1",
        "END { phases { service-stop.depends-on = [] } } | END.phases.service-stop.depends-on | 1",
        "END.phases.service-unbind.depends-on = [service-unbind] "
            + "| END.phases.service-unbind.depends-on | 1",
        "END.phases.mine.depends-on = [service-stop] | END.phases.mine.depends-on | 1",
        "END.phases.mine {} | END.phases.mine | 1",
        "END.phases ~ { ~ a { ~ b = 1, c = 2 } } | END.phases.a.b | 4",
        "END.reason-overrides.\"a.b$\".exit-code = 0 | END.reason-overrides.\"a.b$\".exit-code | 1",
        "END.no-such-key = 1 | END.no-such-key | 1",
        "pekko.extensions = [no.such.Extension] | pekko.extensions | 1",
        "pekko.extensions += no.such.Extension | pekko.extensions | 1",
        "pekko.extensions = null | pekko.extensions | 1",
        "pekko.library-extensions = [] | pekko.library-extensions | 1",
        "pekko.library-extensions += no.such.Extension | pekko.library-extensions | 1",
        "pekko.actor.typed.extensions = [no.such.Extension] | pekko.actor.typed.extensions | 1",
        "pekko.actor.typed.library-extensions = [] | pekko.actor.typed.library-extensions | 1",
      })
  void how_the_program_ends_and_what_runs_in_it_stays_as_it_is(String config, String key, int line)
      throws IOException {
    FixedKeys.Other other = other(config.replace("END", END).replace("~", "\n")).orElseThrow();
    assertEquals(key.replace("END", END), other.key());
    assertEquals(
        " (" + scratch.resolve("other.conf") + ", line " + line + ")",
        UserConfig.at(other.given().origin()), other.problem());
    assertTrue(other.problem().endsWith("; remove it"), other.problem());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "END.exit-jvm = off", "END.exit-jvm = false", "END.terminate-actor-system = yes",
        "END.default-phase-timeout = 5 s", "END.default-phase-timeout = 5000ms",
        "END.exit-code = 0", "END {}", "END.phases.before-service-unbind {}",
        "END.phases.service-unbind.depends-on = [before-service-unbind]",
        "pekko.extensions = []", "pekko.library-extensions = ${pekko.library-extensions}",
      })
  void how_the_program_ends_may_be_written_out(String config) throws IOException {
    assertEquals(Optional.empty(), other(config.replace("END", END)));
  }

  @Test
  void our_own_values_may_be_written_out() throws IOException {
    Told told =
        told(
            "ask",
            "pekko { actor.provider = cluster, cluster.sharding.number-of-shards = 100 }\n"
                + "pekko.persistence.journal.plugin = \"rubricem.journal\"\n"
                + "rubricem.episode-dispatcher.throughput = 8\n");
    assertEquals(0, told.code(), told.err());
  }

  @Test
  void a_failure_without_a_key_that_somebody_set_is_no_matter_of_the_configuration() {
    assertEquals(
        Optional.empty(),
        StartProblem.of(ConfigFactory.load(), new IllegalStateException("a fault of ours")));
  }
}
