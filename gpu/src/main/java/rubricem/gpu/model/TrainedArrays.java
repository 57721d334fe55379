package rubricem.gpu.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.StoredTensor;

/**
 * Between arrays in the order of {@link Qwen3#trained} and tensors under the names of a folder, in
 * both directions and bit by bit: for weights, and for whatever has one element a weight, as an
 * optimiser's moments have. Stored under those names, they outlive a change of the order.
 */
public final class TrainedArrays {
  /** A tensor of a folder, and where its elements are. */
  private record Place(String name, int array, int elements, Copying out, Copying in, long[] shape) {}

  private interface Copying {
    void copy(Object from, Object to);
  }

  private final List<Place> places = new ArrayList<>();
  private final List<long[]> shapes = new ArrayList<>();

  private TrainedArrays() {}

  /** @param lora the adapter that is trained; null: the weights are */
  public static TrainedArrays of(QwenShape shape, @Nullable LoraWeights lora) {
    TrainedArrays all = new TrainedArrays();
    if (lora == null) {
      FusedLayout layout = FusedLayout.of(shape);
      all.shapes.addAll(layout.shapes());
      for (FusedLayout.Part part : layout.parts()) {
        long[] extent =
            part.columns() == 1
                ? new long[] {part.rows()}
                : new long[] {part.rows(), part.columns()};
        all.places.add(
            new Place(
                part.name(), part.array(), part.rows() * part.columns(), part::part, part::fuse,
                extent));
      }
    } else {
      List<AdapterLayout.Slot> slots =
          AdapterLayout.of(shape, lora.adapted(), lora.config().rank()).slots();
      for (int i = 0; i < slots.size(); i++) {
        AdapterLayout.Slot slot = slots.get(i);
        all.shapes.add(slot.shape());
        all.places.add(
            new Place(
                slot.name(), i, slot.order().length * slot.columns(), slot::part, slot::fuse,
                slot.shape()));
      }
    }
    return all;
  }

  /** Names and shapes, in the order in which {@link #tensor} is cheapest. */
  public List<String> names() {
    return places.stream().map(Place::name).toList();
  }

  public long[] shape(String name) {
    return place(name).shape().clone();
  }

  /** Elements of all arrays together. */
  public long elements() {
    return places.stream().mapToLong(Place::elements).sum();
  }

  /** One tensor out of the arrays, copied from the device. */
  public StoredTensor tensor(Arrays arrays, String name) {
    Place place = place(name);
    NDArray array = arrays.get(place.array());
    if (array.getDataType() == DataType.FLOAT64) {
      double[] to = new double[place.elements()];
      place.out().copy(array.toDoubleArray(), to);
      return StoredTensor.of(name, Dtype.F64, place.shape(), to);
    }
    float[] to = new float[place.elements()];
    place.out().copy(array.toFloatArray(), to);
    return StoredTensor.of(name, Dtype.F32, place.shape(), to);
  }

  /** New arrays of the model's type, filled from tensors. */
  public List<NDArray> arrays(NDManager owner, DataType type, WeightSource source)
      throws IOException {
    List<NDArray> out = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      Shape shape = new Shape(shapes.get(i));
      boolean wide = type == DataType.FLOAT64;
      Object values = wide ? new double[(int) shape.size()] : new float[(int) shape.size()];
      for (Place place : places) {
        if (place.array() == i) {
          StoredTensor stored = source.tensor(place.name());
          place.in().copy(wide ? stored.toDoubles() : stored.toFloats(), values);
        }
      }
      out.add(HostValues.array(owner, values, shape));
    }
    return out;
  }

  private Place place(String name) {
    return places.stream()
        .filter(p -> p.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("nothing trained is named " + name));
  }
}
