package rubricem.gpu.checkpoint;

import java.nio.file.Path;

/** A folder that must not be loaded, and why; the reason can be shown to a user. */
public record BrokenCheckpoint(Path folder, String reason) implements CheckpointCheck {}
