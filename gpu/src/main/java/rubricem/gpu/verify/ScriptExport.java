package rubricem.gpu.verify;

import java.io.IOException;
import java.nio.file.Path;
import rubricem.gpu.model.FreshWeights;
import rubricem.gpu.model.ProgramExport;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenShape;

/** The learner's programs for other libtorches: of a model folder, or of a tiny shape of its own. */
public final class ScriptExport {
  private static final QwenShape TINY = QwenShape.of(96, 32, 2, 4, 2, 12, 48, true, 256);
  private static final long SEED = 1;

  private ScriptExport() {}

  public static void tiny(Path target) throws IOException {
    ProgramExport.write(target, TINY, new FreshWeights(TINY, SEED));
  }

  public static void of(Path target, Path model) throws IOException {
    ModelFolder folder = ModelFolder.open(model);
    ProgramExport.write(target, folder.shape(), folder::tensor);
  }
}
