package rubricem.gpu.device;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.JniUtils;
import java.util.function.LongSupplier;

/**
 * How fast this machine reads numbers that lie in no cache, in 10^9 bytes a second: the other limit
 * beside {@link MatmulRates}, that of work which uses what it reads only a few times.
 */
public final class MemoryRate {
  /** 512 MB at 4 bytes each: more than a core's share of any last cache. */
  private static final long NUMBERS = 1L << 27;

  private static final int REPEATS = 4;

  private MemoryRate() {}

  /**
   * Measures on the calling thread.
   *
   * @param threads of libtorch
   */
  public static double measure(DeviceName name, int threads, LongSupplier nanos) {
    try (NDManager manager = Engine.getEngine("PyTorch").newBaseManager(name.present())) {
      JniUtils.setNumThreads(threads);
      NDArray numbers = manager.ones(new Shape(NUMBERS));
      long least = Long.MAX_VALUE;
      for (int i = 0; i <= REPEATS; i++) {
        long start = nanos.getAsLong();
        try (NDArray sum = numbers.sum()) {
          // a GPU answers before it has computed; reading the sum waits for it
          sum.getFloat();
        }
        least = Math.min(least, nanos.getAsLong() - start);
      }
      return (double) NUMBERS * Float.BYTES / least;
    }
  }
}
