package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import rubricem.gpu.weights.LoraFolder;

/** What an adapter's configuration says its base model is, before that model is known. */
final class BaseModelName {
  private BaseModelName() {}

  /** Empty where it says nothing. */
  static String of(Path adapter) throws IOException {
    JsonNode config = new ObjectMapper().readTree(adapter.resolve(LoraFolder.CONFIG).toFile());
    return config.path("base_model_name_or_path").asText("");
  }
}
