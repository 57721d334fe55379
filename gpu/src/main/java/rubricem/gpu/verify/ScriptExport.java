package rubricem.gpu.verify;

import java.io.IOException;
import java.nio.file.Path;
import rubricem.gpu.generate.DecodeSamples;
import rubricem.gpu.model.FreshWeights;
import rubricem.gpu.model.ProgramExport;
import rubricem.gpu.model.WeightSource;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.WholeFolder;

/** The learner's programs for other libtorches: of a model folder, or of a tiny shape of its own. */
public final class ScriptExport {
  private static final QwenShape TINY = QwenShape.of(96, 32, 2, 4, 2, 12, 48, true, 256);
  private static final long SEED = 1;

  private ScriptExport() {}

  /** @param check run before every call; what it throws ends this, and nothing is left */
  public static void tiny(Path target, Runnable check) throws IOException {
    write(target, TINY, new FreshWeights(TINY, SEED), check);
  }

  /** The same for a model folder. */
  public static void of(Path target, Path model, Runnable check) throws IOException {
    WholeFolder.refuseTaken(target);
    ModelFolder folder = ModelFolder.open(model);
    write(target, folder.shape(), folder::tensor, check);
  }

  private static void write(Path target, QwenShape shape, WeightSource source, Runnable check)
      throws IOException {
    WholeFolder.write(
        target,
        into -> {
          ProgramExport.write(into, shape, source, check);
          DecodeSamples.write(into, shape, source, check);
        });
  }
}
