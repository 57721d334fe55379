package rubricem.gpu.checkpoint;

/**
 * Which checkpoints stay.
 *
 * @param keepLast so many of the newest; one more than one is of use when the newest is damaged
 * @param keepEvery and those whose step is a multiple of it; 0 for none
 */
public record CheckpointSettings(int keepLast, int keepEvery) {
  /** A run of thousands of steps would else fill a disk without anybody having asked for it. */
  public static final int KEEP_LAST_MAX = 1_000;

  public CheckpointSettings {
    if (keepLast < 1 || keepLast > KEEP_LAST_MAX || keepEvery < 0) {
      throw new IllegalArgumentException(
          "checkpoints to keep: the last 1 to " + KEEP_LAST_MAX + ", and every 0 or more steps");
    }
  }

  boolean keeps(long step, int newer) {
    return newer < keepLast || keepEvery > 0 && step % keepEvery == 0;
  }
}
