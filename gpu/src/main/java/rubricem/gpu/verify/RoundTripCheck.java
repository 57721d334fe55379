package rubricem.gpu.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.LoraPair;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.StoredTensor;
import rubricem.gpu.weights.TensorSpec;

/**
 * A folder read, put on the device in our own layout, taken back, written and read again: every
 * tensor has the bytes it had. Counts tensors that differ.
 */
final class RoundTripCheck {
  private static final String QUANTITY = "round_trip_tensors";

  private final Places places;

  RoundTripCheck(Places places) {
    this.places = places;
  }

  void model(String name, ModelFolder folder) throws IOException {
    Map<String, StoredTensor> exported;
    try (Qwen3 model = Qwen3.open(folder, places.device(), wide(folder))) {
      exported = model.export();
    }
    Map<String, StoredTensor> back = new LinkedHashMap<>();
    for (TensorSpec spec : folder.specs()) {
      back.put(spec.name(), as(exported.get(spec.name()), spec.dtype()));
    }
    Path target = Files.createTempDirectory(places.scratch(), "round-trip-");
    ModelFolder.write(target, folder.config(), back);
    ModelFolder again = ModelFolder.open(target);
    int differ = folder.shape().equals(again.shape()) ? 0 : 1;
    for (TensorSpec spec : folder.specs()) {
      differ += folder.tensor(spec.name()).equals(again.tensor(spec.name())) ? 0 : 1;
    }
    places.checks().accept(Check.of(name, QUANTITY, differ, 0));
  }

  private static Precision wide(ModelFolder folder) {
    return folder.specs().stream().anyMatch(s -> s.dtype() == Dtype.F64)
        ? Precision.FP64
        : Precision.FP32;
  }

  private static StoredTensor as(StoredTensor tensor, Dtype dtype) {
    return StoredTensor.of(tensor.name(), dtype, tensor.shape(), tensor.toDoubles());
  }

  void adapter(String name, Path folder, QwenShape base) throws IOException {
    LoraFolder adapter = LoraFolder.read(folder, base);
    Path target = Files.createTempDirectory(places.scratch(), "round-trip-");
    adapter.write(target);
    LoraFolder again = LoraFolder.read(target, base);
    int differ = adapter.config().equals(again.config()) ? 0 : 1;
    differ += adapter.pairs().size() == again.pairs().size() ? 0 : 1;
    for (int i = 0; i < Math.min(adapter.pairs().size(), again.pairs().size()); i++) {
      LoraPair was = adapter.pairs().get(i);
      LoraPair is = again.pairs().get(i);
      differ += was.down().equals(is.down()) && was.up().equals(is.up()) ? 0 : 1;
    }
    places.checks().accept(Check.of(name, QUANTITY, differ, 0));
  }
}
