package rubricem.gpu.checkpoint;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import rubricem.protocol.run.RunLayout;

/**
 * The checkpoints of a run, one folder a step. A checkpoint is written beside its place, flushed
 * file by file, renamed, and only then gets its manifest, which appears in one step: whatever a
 * process dies at, there is a whole checkpoint or none, and none is ever loaded that is not as its
 * manifest says. Old ones go only after a newer one is complete. There is one writer at a time,
 * which its caller has to see to; any number may read.
 */
public final class CheckpointFolder {
  /** Names of what is not finished, or not wanted any more; swept before the next write. */
  private static final String HIDDEN = ".step-";

  private final Path root;
  private final CheckpointSettings settings;
  private final Clock clock;
  private final DurableFiles disk;

  /** @param root such as {@code runs/RUN/checkpoints}; made when the first one is written */
  public CheckpointFolder(Path root, CheckpointSettings settings, Clock clock) {
    this(root, settings, clock, new DiskFiles());
  }

  CheckpointFolder(Path root, CheckpointSettings settings, Clock clock, DurableFiles disk) {
    this.root = root;
    this.settings = settings;
    this.clock = clock;
    this.disk = disk;
  }

  /**
   * The checkpoint that a folder of weights is, its weights compared with their checksums; empty
   * where it is none. It is one where it lies among a run's checkpoints, or where it has both name
   * and manifest of one: a model that somebody has copied out under another name is a model.
   */
  public static Optional<CheckpointCheck> holding(Path folder) {
    return isOne(folder)
        ? Optional.of(CheckpointVerification.checkWeights(folder.toAbsolutePath().normalize()))
        : Optional.empty();
  }

  /** Whether a folder is a checkpoint that was never completed; only names are looked at. */
  public static boolean isUnfinished(Path folder) {
    return isOne(folder) && !Files.exists(folder.resolve(RunLayout.MANIFEST));
  }

  /**
   * The checksum of the model that an adapter was trained on, as its manifest has it, also where
   * somebody has copied the adapter out together with it. Empty where nothing says so.
   */
  public static Optional<String> base(Path adapter) {
    return CheckpointVerification.told(adapter).flatMap(CheckpointState::base);
  }

  private static boolean isOne(Path folder) {
    Path place = folder.toAbsolutePath().normalize();
    Path parent = place.getParent();
    boolean named =
        place.getFileName() != null
            && RunLayout.step(place.getFileName().toString()).isPresent();
    boolean inRun =
        parent != null && parent.getFileName() != null
            && parent.getFileName().toString().equals(RunLayout.CHECKPOINTS);
    return named && (inRun || Files.exists(place.resolve(RunLayout.MANIFEST)));
  }

  /** Such as {@code step-000010}. */
  public static String name(long step) {
    return RunLayout.checkpoint(step);
  }

  /**
   * Writes a checkpoint and removes those that are not kept. A broken one of the same step is
   * replaced; a sound one is not, because two of one step mean that a step was done twice.
   */
  public Checkpoint write(CheckpointState state, CheckpointContents contents) throws IOException {
    Files.createDirectories(root);
    sweep();
    Path target = root.resolve(name(state.step()));
    if (Files.exists(target)) {
      if (CheckpointVerification.check(target) instanceof Checkpoint) {
        throw new IOException(target + " is there already and sound; discard it first");
      }
      discard(target);
    }
    Path partial = root.resolve("." + name(state.step()) + ".partial");
    CheckpointManifest manifest;
    try {
      disk.createFolder(partial);
      contents.writeInto(partial);
      manifest = new CheckpointManifest(clock.instant(), state, flushed(partial));
    } catch (IOException | RuntimeException e) {
      removeAfter(e, partial);
      throw e;
    }
    disk.rename(partial, target);
    disk.syncFolder(root);
    publish(target, manifest);
    retain();
    return new Checkpoint(target, manifest);
  }

  private void removeAfter(Exception failure, Path partial) {
    try {
      deleteTree(partial);
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private List<CheckpointFile> flushed(Path folder) throws IOException {
    List<CheckpointFile> files = new ArrayList<>();
    for (Path path : deepestFirst(folder)) {
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        disk.syncFolder(path);
      } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        disk.syncFile(path);
        String name = CheckpointVerification.relative(folder, path);
        files.add(new CheckpointFile(name, Files.size(path), Sha256.of(path)));
      } else {
        throw new IOException(path + " is no file; links cannot be part of a checkpoint");
      }
    }
    files.sort(Comparator.comparing(CheckpointFile::path));
    return files;
  }

  private void publish(Path target, CheckpointManifest manifest) throws IOException {
    Path partial = target.resolve("." + RunLayout.MANIFEST + ".partial");
    disk.writeNew(partial, ManifestJson.write(manifest));
    disk.syncFile(partial);
    disk.rename(partial, target.resolve(RunLayout.MANIFEST));
    disk.syncFolder(target);
  }

  /** The newest that can be loaded, every byte of it compared with its checksum. */
  public LatestCheckpoint latest() throws IOException {
    List<BrokenCheckpoint> skipped = new ArrayList<>();
    for (long step : steps()) {
      switch (CheckpointVerification.check(root.resolve(name(step)))) {
        case Checkpoint sound -> {
          return new LatestCheckpoint(Optional.of(sound), skipped);
        }
        case BrokenCheckpoint broken -> skipped.add(broken);
      }
    }
    return new LatestCheckpoint(Optional.empty(), skipped);
  }

  /** The checkpoint of one step, verified likewise. */
  public CheckpointCheck at(long step) {
    return CheckpointVerification.check(root.resolve(name(step)));
  }

  /** All steps that have a folder, broken ones too, newest first; nothing is read. */
  public List<Long> steps() throws IOException {
    List<Long> out = new ArrayList<>();
    if (Files.isDirectory(root)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(root)) {
        for (Path folder : folders) {
          RunLayout.step(folder.getFileName().toString()).ifPresent(out::add);
        }
      }
    }
    out.sort(Comparator.reverseOrder());
    return out;
  }

  /** Removes a checkpoint; at no moment does a part of it look whole. */
  public void discard(long step) throws IOException {
    discard(root.resolve(name(step)));
  }

  private void discard(Path folder) throws IOException {
    Path hidden = root.resolve("." + folder.getFileName() + ".discarded");
    deleteTree(hidden);
    disk.rename(folder, hidden);
    disk.syncFolder(root);
    deleteTree(hidden);
  }

  private void retain() throws IOException {
    int newer = 0;
    for (long step : steps()) {
      Path folder = root.resolve(name(step));
      boolean complete = Files.exists(folder.resolve(RunLayout.MANIFEST));
      // one without a manifest protects nothing and must not push out one that has it
      if (!settings.keeps(step, newer)) {
        discard(folder);
      }
      newer += complete ? 1 : 0;
    }
  }

  /** Removes what dead processes left half done; the writer alone may call it. */
  public List<String> sweep() throws IOException {
    List<String> swept = new ArrayList<>();
    if (Files.isDirectory(root)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(root)) {
        for (Path folder : folders) {
          if (folder.getFileName().toString().startsWith(HIDDEN)) {
            deleteTree(folder);
            swept.add(folder.getFileName().toString());
          }
        }
      }
    }
    return swept;
  }

  private void deleteTree(Path folder) throws IOException {
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      for (Path path : deepestFirst(folder)) {
        disk.delete(path);
      }
    }
  }

  private static List<Path> deepestFirst(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
