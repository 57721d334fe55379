package rubricem.gpu.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A writer that dies at each of its operations; what was not flushed is kept or lost. */
class CheckpointCrashTest {
  enum Death {
    KILLED,
    POWER_LOST
  }

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);
  private static final CheckpointSettings ONE = new CheckpointSettings(1, 0);

  /** Far above the operations of one write; the test finds their number itself. */
  private static final int OPERATIONS_MAX = 200;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void whatever_a_writer_dies_at_the_old_or_the_new_checkpoint_is_loaded_whole(Death death)
      throws IOException {
    int newer = 0;
    for (int operations = 0; operations < OPERATIONS_MAX; operations++) {
      Path root = Files.createDirectory(folder.resolve("run-" + operations));
      write(root, new DiskFiles(), 10, () -> false);
      boolean ended = dies(root, operations, 20, death);
      long found = sound(root);
      newer += found == 20 ? 1 : 0;
      write(root, new DiskFiles(), 30, () -> false);
      assertEquals(30, sound(root));
      assertEquals(List.of("step-000030"), names(root));
      if (ended) {
        assertEquals(20, found);
        assertTrue(operations > 15 && newer > 1, operations + " operations, new in " + newer);
        return;
      }
    }
    fail("a write has more than " + OPERATIONS_MAX + " operations");
  }

  @ParameterizedTest
  @EnumSource
  void replacing_a_damaged_checkpoint_may_die_too(Death death) throws IOException {
    for (int operations = 0; operations < OPERATIONS_MAX; operations++) {
      Path root = Files.createDirectory(folder.resolve("run-" + operations));
      write(root, new DiskFiles(), 10, () -> false);
      write(root, new DiskFiles(), 20, () -> false, new CheckpointSettings(2, 0));
      Files.writeString(root.resolve("step-000020/config.json"), "{\"step\": 21}");
      boolean ended = dies(root, operations, 20, death);
      sound(root);
      if (ended) {
        return;
      }
    }
    fail("a write has more than " + OPERATIONS_MAX + " operations");
  }

  private boolean dies(Path root, int operations, long step, Death death) throws IOException {
    DyingFiles disk = new DyingFiles(root, operations);
    boolean ended = true;
    try {
      write(root, disk, step, disk::dies);
    } catch (DyingFiles.Killed e) {
      ended = false;
    }
    if (death == Death.POWER_LOST) {
      disk.powerLoss();
    }
    return ended;
  }

  /** The step that is loaded, after a look at its content. */
  private static long sound(Path root) throws IOException {
    LatestCheckpoint latest = new CheckpointFolder(root, ONE, CLOCK).latest();
    Checkpoint found = latest.found().orElseThrow();
    long step = found.state().step();
    String config = Files.readString(found.weights().resolve("config.json"));
    assertEquals("{\"step\": " + step + "}", config);
    assertEquals("optimiser " + step, Files.readString(found.optimiser().orElseThrow()));
    assertEquals(Map.of("bank", step * 7), found.state().journal());
    return step;
  }

  private static List<String> names(Path root) throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.map(p -> p.getFileName().toString()).toList();
    }
  }

  private interface Hook {
    boolean dies();
  }

  private static void write(Path root, DurableFiles disk, long step, Hook hook)
      throws IOException {
    write(root, disk, step, hook, ONE);
  }

  private static void write(
      Path root, DurableFiles disk, long step, Hook hook, CheckpointSettings settings)
      throws IOException {
    CheckpointState state =
        CheckpointState.of(
            step, step, WeightsKind.FULL, Map.of("bank", step * 7), Map.of("sampler", "s" + step));
    new CheckpointFolder(root, settings, CLOCK, disk)
        .write(
            state,
            into -> {
              put(into.resolve("config.json"), "{\"step\": " + step + "}", hook);
              put(into.resolve("model.safetensors"), "weights ".repeat(2_000) + step, hook);
              Files.createDirectory(into.resolve("optimiser"));
              put(into.resolve(CheckpointState.OPTIMISER), "optimiser " + step, hook);
            });
  }

  private static void put(Path file, String text, Hook hook) throws IOException {
    if (hook.dies()) {
      Files.writeString(file, text.substring(0, text.length() / 2));
      throw new DyingFiles.Killed();
    }
    Files.writeString(file, text);
  }
}
