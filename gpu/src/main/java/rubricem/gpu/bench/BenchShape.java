package rubricem.gpu.bench;

import java.util.Locale;
import rubricem.gpu.weights.QwenShape;

/** The shapes that are measured, with the batch of a step, as the contract fixes them. */
public enum BenchShape {
  TINY1M(QwenShape.of(512, 128, 6, 4, 2, 32, 352, true, 2048), 8, 64, 3, 15),
  SMALL10M(QwenShape.of(4096, 320, 8, 5, 5, 64, 896, true, 2048), 8, 32, 2, 7),
  M135(QwenShape.of(49152, 576, 30, 9, 3, 64, 1536, true, 2048), 2, 8, 2, 5);

  /** Tokens of every sequence. */
  public static final int LENGTH = 512;

  private final QwenShape shape;
  private final int batch;
  private final int drawn;
  private final int warmUp;
  private final int repeats;

  BenchShape(QwenShape shape, int batch, int drawn, int warmUp, int repeats) {
    this.shape = shape;
    this.batch = batch;
    this.drawn = drawn;
    this.warmUp = warmUp;
    this.repeats = repeats;
  }

  /** @throws IllegalArgumentException with the names there are */
  public static BenchShape named(String name) {
    for (BenchShape each : values()) {
      if (each.label().equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "there is no shape \"" + name + "\": tiny1m, small10m or 135m");
  }

  public String label() {
    return this == M135 ? "135m" : name().toLowerCase(Locale.ROOT);
  }

  public QwenShape shape() {
    return shape;
  }

  /** Sequences of a step. */
  public int batch() {
    return batch;
  }

  /** Sequences that are drawn at once. */
  public int drawn() {
    return drawn;
  }

  /** Steps before the first that is timed. */
  public int warmUp() {
    return warmUp;
  }

  public int repeats() {
    return repeats;
  }
}
