package rubricem.gpu.checkpoint;

/** What a look at a checkpoint's folder found. */
public sealed interface CheckpointCheck permits Checkpoint, BrokenCheckpoint {}
