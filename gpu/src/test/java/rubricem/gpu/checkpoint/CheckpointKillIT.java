package rubricem.gpu.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that writes checkpoints without pause is killed, again and again. */
class CheckpointKillIT {
  private static final int LIVES = 6;
  private static final CheckpointSettings TWO = new CheckpointSettings(2, 0);

  @TempDir Path root;

  @Test
  void what_a_killed_writer_told_is_loaded_whole_or_a_newer_one() throws Exception {
    // a fixed seed: the moment within a write differs by itself
    Random random = new Random(11);
    long told = 0;
    for (int life = 0; life < LIVES; life++) {
      Process writer = start(told);
      try (BufferedReader out = writer.inputReader(StandardCharsets.US_ASCII)) {
        int lines = 1 + random.nextInt(20);
        for (int i = 0; i < lines; i++) {
          told = Long.parseLong(out.readLine());
        }
      } finally {
        writer.destroyForcibly().waitFor();
      }
      Checkpoint found = folder(root).latest().found().orElseThrow();
      long step = found.state().step();
      assertTrue(step >= told, step + " was found and " + told + " was told");
      assertEquals(step + ";", Files.readString(found.weights().resolve("config.json")));
      told = step;
    }
  }

  private Process start(long told) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m", "-cp", System.getProperty("java.class.path"),
                Writer.class.getName(), root.toString(), Long.toString(told + 1)))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static CheckpointFolder folder(Path root) {
    return new CheckpointFolder(root, TWO, Clock.systemUTC());
  }

  /** The process. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) throws IOException {
      CheckpointFolder folder = folder(Path.of(args[0]));
      byte[] weights = new byte[1 << 20];
      for (long step = Long.parseLong(args[1]); ; step++) {
        String config = step + ";";
        folder.write(
            CheckpointState.of(step, step, WeightsKind.FULL, Map.of("bank", step), Map.of()),
            into -> {
              Files.writeString(into.resolve("config.json"), config);
              Files.write(into.resolve("model.safetensors"), weights);
              Files.createDirectory(into.resolve("optimiser"));
              Files.write(into.resolve(CheckpointState.OPTIMISER), weights);
            });
        System.out.println(step);
      }
    }
  }
}
