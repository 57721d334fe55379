package rubricem.gpu.checkpoint;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import rubricem.protocol.run.RunLayout;

/**
 * What a checkpoint says of itself. Whoever holds one may rely on it: files are unique and lie
 * within the checkpoint, and those that the state speaks of are among them.
 */
public record CheckpointManifest(
    Instant created, CheckpointState state, List<CheckpointFile> files) {
  /** Rises when an older program could misread a checkpoint. */
  public static final int FORMAT = 1;

  /** A sharded model of any size has hundreds; more is a mistake. */
  static final int FILES_MAX = 10_000;

  public CheckpointManifest {
    files = List.copyOf(files);
    Set<String> paths = new HashSet<>();
    for (CheckpointFile file : files) {
      if (!paths.add(file.path()) || file.path().equals(RunLayout.MANIFEST)) {
        throw new IllegalArgumentException("a checkpoint cannot hold a second " + file.path());
      }
    }
    if (files.size() > FILES_MAX) {
      throw new IllegalArgumentException(files.size() + " files in one checkpoint");
    }
    String folder = state.weightsFolder();
    String config = (folder.equals(".") ? "" : folder + "/") + state.weightsKind().configFile();
    requireFile(paths, config, "weights");
    state.optimiserFile().ifPresent(path -> requireFile(paths, path, "optimiser state"));
  }

  private static void requireFile(Set<String> paths, String path, String what) {
    if (!paths.contains(path)) {
      throw new IllegalArgumentException("the " + what + " are missing: there is no " + path);
    }
  }
}
