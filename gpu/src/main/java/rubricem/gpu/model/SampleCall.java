package rubricem.gpu.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.SafeTensors;
import rubricem.gpu.weights.StoredTensor;

/**
 * One call of a method, written down: what went in, as it was before; what came out; and every
 * argument that the method changed, as it is afterwards. The arrays are copied when it is begun.
 */
public final class SampleCall {
  private final List<List<StoredTensor>> inputs = new ArrayList<>();
  private final List<StoredTensor> file = new ArrayList<>();

  /** Before the call. */
  public SampleCall(List<Arrays> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      inputs.add(stored("input." + i, arguments.get(i)));
      file.addAll(inputs.getLast());
    }
  }

  /** After the call. */
  public void gave(NDList result, List<Arrays> arguments) {
    for (int i = 0; i < result.size(); i++) {
      file.add(stored("output." + i, result.get(i)));
    }
    for (int i = 0; i < arguments.size(); i++) {
      List<StoredTensor> after = stored("changed." + i, arguments.get(i));
      if (differ(inputs.get(i), after)) {
        file.addAll(after);
      }
    }
  }

  private static boolean differ(List<StoredTensor> before, List<StoredTensor> after) {
    for (int i = 0; i < before.size(); i++) {
      if (!before.get(i).bytes().equals(after.get(i).bytes())) {
        return true;
      }
    }
    return false;
  }

  /** As {@code PROGRAM.METHOD.safetensors}. */
  public void write(Path folder, String program, String method) throws IOException {
    SafeTensors.write(folder.resolve(program + "." + method + ".safetensors"), file);
  }

  private static List<StoredTensor> stored(String name, Arrays arrays) {
    List<StoredTensor> out = new ArrayList<>();
    for (int i = 0; i < arrays.size(); i++) {
      out.add(stored(name + "." + i, arrays.get(i)));
    }
    return out;
  }

  private static StoredTensor stored(String name, NDArray array) {
    long[] extent = array.getShape().getShape();
    return switch (array.getDataType()) {
      case INT64 -> StoredTensor.of(name, extent, array.toLongArray());
      case FLOAT64 -> StoredTensor.of(name, Dtype.F64, extent, array.toDoubleArray());
      case FLOAT32 -> StoredTensor.of(name, Dtype.F32, extent, array.toFloatArray());
      default -> throw new IllegalStateException(name + " is of type " + array.getDataType());
    };
  }
}
