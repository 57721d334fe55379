package rubricem.app.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import rubricem.gpu.checkpoint.BrokenCheckpoint;
import rubricem.gpu.checkpoint.CheckpointFolder;
import rubricem.gpu.checkpoint.CheckpointSettings;
import rubricem.protocol.run.RunLayout;

/**
 * A training run on disk: its resolved configuration, its metrics, one JSON object a step, and its
 * checkpoints. One process at a time writes a run. The configuration is written once and is what
 * the run goes on with; metrics of steps that no checkpoint holds are dropped when it does.
 */
public final class RunFolder implements AutoCloseable {
  private static final String LOCK = "run.lock";

  /** Damaged checkpoints that are named one by one. */
  private static final int NAMED_MAX = 5;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path path;
  private final FileChannel lock;

  private RunFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Begins a run in a folder that holds none. */
  public static RunFolder begin(Path path, Config resolved) throws IOException {
    if (Files.exists(path.resolve(RunLayout.CONFIG))) {
      throw new RunUnusableException(
          path + " holds a run already; go on with it by --resume, or name another folder");
    }
    for (String name : List.of(RunLayout.CHECKPOINTS, RunLayout.METRICS)) {
      if (Files.exists(path.resolve(name))) {
        // a run here would go on from those checkpoints, and drop those metrics
        throw new RunUnusableException(
            path + " holds " + name + " of another run, and no " + RunLayout.CONFIG
                + ": name another folder, or take them away");
      }
    }
    Files.createDirectories(path);
    RunFolder folder = new RunFolder(path, locked(path));
    try {
      String text =
          resolved.root().render(
              ConfigRenderOptions.defaults().setOriginComments(false).setComments(false)
                  .setJson(false));
      Path partial = path.resolve(RunLayout.CONFIG + ".partial");
      Files.writeString(partial, text);
      Files.move(partial, path.resolve(RunLayout.CONFIG), StandardCopyOption.ATOMIC_MOVE);
      return folder;
    } catch (IOException e) {
      folder.close();
      throw e;
    }
  }

  /** Opens a run to go on with it. */
  public static RunFolder open(Path path) throws IOException {
    if (!Files.isRegularFile(path.resolve(RunLayout.CONFIG))) {
      throw new RunUnusableException(path + " holds no run: there is no " + RunLayout.CONFIG);
    }
    return new RunFolder(path, locked(path));
  }

  private static FileChannel locked(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // this very process has it; the same answer
    }
    channel.close();
    throw new RunUnusableException("Another process is training in " + path + " now");
  }

  public Path path() {
    return path;
  }

  /** What the run began with, over {@code defaults}. */
  public Config config(Config defaults) {
    try {
      return ConfigFactory.parseFile(path.resolve(RunLayout.CONFIG).toFile())
          .withFallback(defaults)
          .resolve();
    } catch (ConfigException e) {
      throw new RunUnusableException(
          path.resolve(RunLayout.CONFIG) + " cannot be read: " + e.getMessage());
    }
  }

  public CheckpointFolder checkpoints(CheckpointSettings settings, Clock clock) {
    return new CheckpointFolder(path.resolve(RunLayout.CHECKPOINTS), settings, clock);
  }

  /**
   * Beginning anew would write over what may still be saved. A run's first checkpoint is not later
   * than its interval, so one up to there that was never completed is where a run died, and nothing
   * is lost with it.
   *
   * @param broken all checkpoints of a run that has no sound one
   * @param every steps between two checkpoints
   */
  void refuseLost(List<BrokenCheckpoint> broken, long every) {
    boolean lost =
        broken.stream()
            .anyMatch(
                b ->
                    !CheckpointFolder.isUnfinished(b.folder())
                        || RunLayout.step(b.folder().getFileName().toString()).orElse(0) > every);
    if (lost) {
      throw new RunUnusableException(
          "No checkpoint of " + path + " can be used: "
              + broken.stream()
                  .limit(NAMED_MAX)
                  .map(b -> b.folder().getFileName() + " (" + b.reason() + ")")
                  .collect(Collectors.joining(", "))
              + (broken.size() > NAMED_MAX ? " and " + (broken.size() - NAMED_MAX) + " more" : "")
              + ". Nothing was changed: restore one of them, or begin another run.");
    }
  }

  /** Appends the figures of a step. */
  public void append(ObjectNode metrics) throws IOException {
    Files.write(
        path.resolve(RunLayout.METRICS), (metrics + "\n").getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Drops the figures of later steps: they are done again. A line that broke off goes too. */
  public void keepUntil(long step) throws IOException {
    Path file = path.resolve(RunLayout.METRICS);
    if (!Files.exists(file)) {
      return;
    }
    List<String> kept = new ArrayList<>();
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      if (stepOf(line) >= 1 && stepOf(line) <= step) {
        kept.add(line);
      }
    }
    Path partial = path.resolve(RunLayout.METRICS + ".partial");
    Files.write(partial, kept, StandardCharsets.UTF_8);
    Files.move(
        partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static long stepOf(String line) {
    try {
      JsonNode metrics = MAPPER.readTree(line);
      return metrics.path("step").asLong(-1);
    } catch (IOException e) {
      return -1;
    }
  }

  /** How many of the steps so far changed nothing. */
  public long skippedSteps() throws IOException {
    Path file = path.resolve(RunLayout.METRICS);
    long skipped = 0;
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        skipped = Math.max(skipped, MAPPER.readTree(line).path("skipped_steps").asLong(0));
      }
    }
    return skipped;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
