package rubricem.gpu.script;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.List;

/**
 * Makes the first call of every vector function of MKL that we use, on one number and one thread.
 * MKL finds the code of such a function when it is first called; where several threads make that
 * call at once, one of them can get code that is right to 26 bits only, for this one call (libtorch
 * 2.7.1 with MKL 2024.2; PyTorch issue 188792). A first step would then differ from the same step
 * of another process: gradients in 64 bits were 2e-9 off.
 */
public final class VectorMaths {
  private static boolean settled;

  private VectorMaths() {}

  /** Does it once a process; whoever computes with several threads calls this before. */
  public static synchronized void settle(NDManager manager) {
    if (settled) {
      return;
    }
    try (NDManager scope = manager.newSubManager(Device.cpu())) {
      for (DataType type : List.of(DataType.FLOAT32, DataType.FLOAT64)) {
        NDArray one = scope.ones(new Shape(1), type);
        one.exp();
        one.log();
        one.sqrt();
        one.sin();
        one.cos();
        one.tanh();
      }
    }
    settled = true;
  }
}
