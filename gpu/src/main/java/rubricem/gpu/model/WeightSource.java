package rubricem.gpu.model;

import java.io.IOException;
import rubricem.gpu.weights.StoredTensor;

/** Where weights come from, by their names in a Hugging Face folder. */
@FunctionalInterface
public interface WeightSource {
  StoredTensor tensor(String name) throws IOException;
}
