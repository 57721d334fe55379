package rubricem.gpu.verify;

import java.util.List;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.train.Packing;
import rubricem.gpu.train.TrainSettings;
import rubricem.gpu.train.Trainer;

/** The product's own trainer, as verification drives it: one worker, so that reruns are equal. */
final class TrainerSetup {
  static final TrainSettings ONE_WORKER =
      new TrainSettings(new Packing.Tokens(2048), 1, 1, 4L << 30, 1L << 26);

  /** With a learning rate of 0 as well, a step leaves the weights bit by bit as they are. */
  private static final AdamWOptions STILL = new AdamWOptions(0.9, 0.95, 1e-8, 0, 1);

  private TrainerSetup() {}

  static Trainer still(Places places, Qwen3 model) {
    return of(places, model, STILL);
  }

  static Trainer of(Places places, Qwen3 model, AdamWOptions options) {
    Trainer trainer = new Trainer(model, options, ONE_WORKER, places.nanos());
    trainer.stopWhen(places.stop());
    return trainer;
  }

  /** Arrays of rows in a row. */
  static double[] joined(List<double[]> rows) {
    return rows.stream().flatMapToDouble(java.util.Arrays::stream).toArray();
  }
}
