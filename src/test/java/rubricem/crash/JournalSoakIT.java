package rubricem.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.persistence.journal.DatabaseSettings;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.JournalReader;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;

/**
 * Looks for what nobody thought of: nodes on one data folder that write, pause, are read beside, and
 * end in every way a process can, over and over. Whatever a watcher was told must be stored after
 * each end, unchanged, and every episode's numbers must have no gap.
 *
 * <p>A few lives in the suite; a soak when asked for: {@code ./rubricem test -Dit.test=JournalSoakIT
 * -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dsoak.seconds=1800 -Dsoak.pause=30000}.
 * Prints a line for each life.
 */
class JournalSoakIT {
  private static final List<String> ENDS = List.of("KILL", "KILL", "TERM", "INT", "input");

  @TempDir Path scratch;

  static String line(EpisodeId id, long sequence, EpisodeEvent event) {
    try {
      return id + " " + sequence + " " + DurableFormat.json().writeValueAsString(event).hashCode();
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everything_a_watcher_was_told_is_stored_however_its_process_ended() throws Exception {
    long seconds = Long.getLong("soak.seconds", 10);
    long seed = Long.getLong("soak.seed", System.nanoTime());
    int pauseMs = Integer.getInteger("soak.pause", 500);
    Random random = new Random(seed);
    Jvm.Setting setting = Jvm.Setting.in(scratch);
    Path data = Files.createDirectory(scratch.resolve("data"));
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (int life = 1; System.nanoTime() < until; life++) {
      Jvm node =
          Jvm.start(
              setting, scratch, SoakNode.class.getName(), data.toString(), "" + random.nextLong(),
              "" + pauseMs);
      int lifeMs = 1_000 + random.nextInt(random.nextInt(4) == 0 ? 4 * pauseMs : 4_000);
      beside(node, data, lifeMs, random);
      String end = ENDS.get(random.nextInt(ENDS.size()));
      if (end.equals("input")) {
        node.closeInput();
      } else {
        node.signal(end);
      }
      node.end();
      System.out.printf(
          "life %d of seed %d: %d ms, ended by %s, %d events told, all stored%n",
          life, seed, lifeMs, end, check(data));
    }
  }

  /** Reads the whole journal now and then while the node writes, as replay does. */
  private static void beside(Jvm node, Path data, int lifeMs, Random random) throws Exception {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lifeMs);
    while (System.nanoTime() < until) {
      TimeUnit.MILLISECONDS.sleep(
          Math.min(100 + random.nextInt(1_500), Math.max(1, (until - System.nanoTime()) / 1_000_000)));
      assertTrue(node.alive(), "the node ended by itself:\n" + node.err());
      if (random.nextBoolean() && Files.exists(data.resolve("journal.db"))) {
        stored(data);
      }
    }
  }

  private static int check(Path data) throws IOException {
    Path told = data.resolve("told.txt");
    if (!Files.exists(told)) {
      return 0;
    }
    Set<String> stored = stored(data);
    List<String> lines = Files.readAllLines(told);
    for (String line : lines) {
      assertTrue(stored.contains(line), "told and not stored: " + line);
    }
    return lines.size();
  }

  /** Every event as a line; fails where the numbers of an episode have a gap. */
  private static Set<String> stored(Path data) {
    DatabaseSettings settings =
        new DatabaseSettings(
            "jdbc:sqlite:" + data.resolve("journal.db").toUri(), "", "", 1, 10, 10);
    try (JournalDatabase database = JournalDatabase.open(settings)) {
      Set<String> lines = new HashSet<>();
      Map<EpisodeId, Long> last = new HashMap<>();
      new JournalReader(database)
          .readAll(
              (id, sequence, event) -> {
                assertEquals(last.getOrDefault(id, 0L) + 1, sequence, id.value());
                last.put(id, sequence);
                lines.add(line(id, sequence, event));
              });
      return lines;
    }
  }
}
