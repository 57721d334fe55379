package rubricem.gpu.checkpoint;

import java.nio.file.Path;
import java.util.Optional;

/** A checkpoint whose files were all there and as its manifest says when this was made. */
public record Checkpoint(Path folder, CheckpointManifest manifest) implements CheckpointCheck {
  public CheckpointState state() {
    return manifest.state();
  }

  /** A folder for {@code ModelFolder} or {@code LoraFolder}, as the kind says. */
  public Path weights() {
    return folder.resolve(state().weightsFolder()).normalize();
  }

  public Optional<Path> optimiser() {
    return state().optimiserFile().map(folder::resolve);
  }
}
