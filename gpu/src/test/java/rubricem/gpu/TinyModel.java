package rubricem.gpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import rubricem.gpu.model.FreshWeights;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenConfig;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.QwenTensors;
import rubricem.gpu.weights.StoredTensor;

/** An untrained model of 50,000 weights as a folder, with the handed tokenizer. */
public final class TinyModel {
  /** As many tokens as the handed tokenizer has. */
  public static final QwenShape SHAPE = QwenShape.of(385, 48, 2, 4, 2, 16, 96, true, 512);

  private TinyModel() {}

  public static Path write(Path folder) {
    return write(folder, SHAPE);
  }

  /** The same of another shape, which has at least as many tokens. */
  public static Path write(Path folder, QwenShape shape) {
    try {
      Files.createDirectories(folder);
      FreshWeights fresh = new FreshWeights(shape, 5);
      Map<String, StoredTensor> tensors = new HashMap<>();
      QwenTensors.shapes(shape).keySet().forEach(n -> tensors.put(n, fresh.tensor(n)));
      ModelFolder.write(folder, QwenConfig.fresh(shape, Dtype.F32), tensors);
      Files.copy(
          Golden.file("tokenizer").resolve(ModelFolder.TOKENIZER),
          folder.resolve(ModelFolder.TOKENIZER), StandardCopyOption.REPLACE_EXISTING);
      folder.resolve(ModelFolder.TOKENIZER).toFile().setWritable(true);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
