package rubricem.gpu.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import rubricem.protocol.run.RunLayout;

/**
 * Compares a folder with its manifest, byte by byte. Whatever differs makes the whole unusable: a
 * part of a checkpoint is not a cut through a run. A file that no manifest names counts as a
 * difference, because a reader of weights may pick it up; hidden ones are no matter.
 */
final class CheckpointVerification {
  /** Names, lengths and checksums of the most files there can be. */
  private static final long MANIFEST_BYTES_MAX = 16L << 20;

  private CheckpointVerification() {}

  static CheckpointCheck check(Path folder) {
    try {
      return new Checkpoint(folder, verified(folder));
    } catch (IllegalArgumentException e) {
      return new BrokenCheckpoint(folder, String.valueOf(e.getMessage()));
    } catch (IOException | UncheckedIOException e) {
      return new BrokenCheckpoint(folder, "it cannot be read: " + e.getMessage());
    }
  }

  /** The same for somebody who reads weights alone: the optimiser's file is not looked at. */
  static CheckpointCheck checkWeights(Path folder) {
    try {
      CheckpointManifest manifest = manifest(folder);
      String optimiser = manifest.state().optimiserFile().orElse("");
      for (CheckpointFile listed : manifest.files()) {
        if (!listed.path().equals(optimiser)) {
          compare(folder, listed);
        }
      }
      return new Checkpoint(folder, manifest);
    } catch (IllegalArgumentException e) {
      return new BrokenCheckpoint(folder, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new BrokenCheckpoint(folder, "it cannot be read: " + e.getMessage());
    }
  }

  /** The state that a folder's manifest tells of; empty where it has none that can be read. */
  static Optional<CheckpointState> told(Path folder) {
    try {
      Path file = folder.resolve(RunLayout.MANIFEST);
      return Files.isRegularFile(file) && Files.size(file) <= MANIFEST_BYTES_MAX
          ? Optional.of(ManifestJson.read(Files.readAllBytes(file)).state())
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static CheckpointManifest verified(Path folder) throws IOException {
    CheckpointManifest manifest = manifest(folder);
    for (CheckpointFile listed : manifest.files()) {
      compare(folder, listed);
    }
    refuseOthers(folder, manifest.files());
    return manifest;
  }

  private static CheckpointManifest manifest(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException("there is no such folder");
    }
    Path file = folder.resolve(RunLayout.MANIFEST);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException("it has no manifest, so it was never completed");
    }
    if (Files.size(file) > MANIFEST_BYTES_MAX) {
      throw new IllegalArgumentException("the manifest is too large to be one");
    }
    CheckpointManifest manifest = ManifestJson.read(Files.readAllBytes(file));
    String name = CheckpointFolder.name(manifest.state().step());
    if (!name.equals(folder.getFileName().toString())) {
      throw new IllegalArgumentException("its manifest is that of " + name);
    }
    return manifest;
  }

  private static void compare(Path folder, CheckpointFile listed) throws IOException {
    Path file = folder.resolve(listed.path());
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException(listed.path() + " is missing");
    }
    long bytes = Files.size(file);
    if (bytes != listed.bytes()) {
      throw new IllegalArgumentException(
          listed.path() + " has " + bytes + " bytes instead of " + listed.bytes());
    }
    if (!Sha256.of(file).equals(listed.sha256())) {
      throw new IllegalArgumentException(listed.path() + " differs from its checksum");
    }
  }

  private static void refuseOthers(Path folder, List<CheckpointFile> files) throws IOException {
    Set<String> listed = new HashSet<>(Set.of(RunLayout.MANIFEST));
    files.forEach(file -> listed.add(file.path()));
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        boolean folderItself = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        boolean hidden = path.getFileName().toString().startsWith(".");
        if (!folderItself && !hidden && !listed.contains(relative(folder, path))) {
          throw new IllegalArgumentException(
              relative(folder, path) + " is not part of it; move it elsewhere");
        }
      }
    }
  }

  static String relative(Path folder, Path file) {
    return folder.relativize(file).toString().replace('\\', '/');
  }
}
