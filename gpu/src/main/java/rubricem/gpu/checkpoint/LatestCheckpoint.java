package rubricem.gpu.checkpoint;

import java.util.List;
import java.util.Optional;

/**
 * The newest checkpoint that can be loaded.
 *
 * @param skipped the newer ones that cannot, newest first; a user is told of them
 */
public record LatestCheckpoint(Optional<Checkpoint> found, List<BrokenCheckpoint> skipped) {
  public LatestCheckpoint {
    skipped = List.copyOf(skipped);
  }
}
