package rubricem.gpu.device;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.JniUtils;
import java.util.function.LongSupplier;
import rubricem.gpu.model.Precision;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.script.Script;

/**
 * How fast this machine multiplies matrices, in 10^9 operations a second, measured at start-up. The
 * 16-bit product includes the conversions that a model makes around it.
 *
 * @param fp32 of 32-bit numbers
 * @param bf16 of 16-bit brain floats
 */
public record MatmulRates(double fp32, double bf16) {
  /** Large enough to reach the peak, small enough to be done in a tenth of a second. */
  public static final int SIZE = 2048;

  /**
   * Other things than products take time too, and 16 bits cost accuracy: a gain below this is not
   * worth it.
   */
  private static final double WORTH_IT = 1.5;

  private static final int REPEATS = 4;

  private static final String PROGRAM =
      """
        def fp32(self: __torch__.M, x: List[Tensor]) -> List[Tensor]:
          return annotate(List[Tensor], [torch.mm(x[0], x[1])])
        def bf16(self: __torch__.M, x: List[Tensor]) -> List[Tensor]:
          y = torch.mm(torch.to(x[0], 15), x[2])
          return annotate(List[Tensor], [torch.to(y, 6)])
        def narrow(self: __torch__.M, x: List[Tensor]) -> List[Tensor]:
          return annotate(List[Tensor], [torch.to(x[0], 15)])
      """;

  /**
   * Measures on the calling thread.
   *
   * @param threads of libtorch
   */
  public static MatmulRates measure(DeviceName name, int threads, LongSupplier nanos) {
    Device device = name.present();
    try (NDManager manager = Engine.getEngine("PyTorch").newBaseManager(device);
        Script script = Script.load(manager, PROGRAM)) {
      JniUtils.setNumThreads(threads);
      NDArray a = manager.randomNormal(new Shape(SIZE, SIZE));
      NDArray b = manager.randomNormal(new Shape(SIZE, SIZE));
      NDArray narrow = script.infer(manager, "narrow", Arrays.of("n", b.mul(1))).get(0);
      Arrays x = Arrays.of("x", a, b, narrow);
      return new MatmulRates(
          best(manager, script, "fp32", x, nanos), best(manager, script, "bf16", x, nanos));
    }
  }

  private static double best(
      NDManager manager, Script script, String method, Arrays x, LongSupplier nanos) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i <= REPEATS; i++) {
      try (NDManager scope = manager.newSubManager()) {
        long start = nanos.getAsLong();
        NDArray product = script.infer(scope, method, x).get(0);
        // a GPU answers before it has computed; reading an element waits for it
        product.getFloat(0, 0);
        least = Math.min(least, nanos.getAsLong() - start);
      }
    }
    return 2.0 * SIZE * SIZE * SIZE / least;
  }

  /** What {@code auto} becomes on this machine. */
  public Precision choice() {
    return bf16 > WORTH_IT * fp32 ? Precision.BF16 : Precision.FP32;
  }

  /** Of the products that a precision makes. */
  public double of(Precision precision) {
    return switch (precision) {
      case FP32 -> fp32;
      case BF16 -> bf16;
      // half the numbers in a register; nobody trains in it
      case FP64 -> fp32 / 2;
    };
  }
}
