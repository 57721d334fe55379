package rubricem.gpu.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import rubricem.gpu.model.FusedLayout.Part;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.StoredTensor;

/** From the arrays of a device to tensors under the names that folders have. */
final class NamedArrays {
  private NamedArrays() {}

  static Map<String, StoredTensor> weights(QwenShape shape, Arrays arrays) {
    Map<String, StoredTensor> out = new LinkedHashMap<>();
    Map<Integer, Object> host = new HashMap<>();
    for (Part part : FusedLayout.of(shape).parts()) {
      Object values = host.computeIfAbsent(part.array(), i -> host(arrays.get(i)));
      long[] extent =
          part.columns() == 1
              ? new long[] {part.rows()}
              : new long[] {part.rows(), part.columns()};
      out.put(part.name(), tensor(part.name(), extent, values, part::part));
    }
    return out;
  }

  static Map<String, StoredTensor> adapters(AdapterLayout layout, Arrays arrays) {
    Map<String, StoredTensor> out = new LinkedHashMap<>();
    for (int i = 0; i < layout.slots().size(); i++) {
      AdapterLayout.Slot slot = layout.slots().get(i);
      out.put(
          slot.name(), tensor(slot.name(), slot.shape(), host(arrays.get(i)), slot::part));
    }
    return out;
  }

  private static Object host(NDArray array) {
    return array.getDataType() == DataType.FLOAT64 ? array.toDoubleArray() : array.toFloatArray();
  }

  private static StoredTensor tensor(
      String name, long[] extent, Object values, BiConsumer<Object, Object> place) {
    int size = Math.toIntExact(java.util.Arrays.stream(extent).reduce(1, Math::multiplyExact));
    if (values instanceof double[]) {
      double[] to = new double[size];
      place.accept(values, to);
      return StoredTensor.of(name, Dtype.F64, extent, to);
    }
    float[] to = new float[size];
    place.accept(values, to);
    return StoredTensor.of(name, Dtype.F32, extent, to);
  }
}
