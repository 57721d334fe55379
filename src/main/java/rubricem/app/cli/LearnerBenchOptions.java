package rubricem.app.cli;

import com.typesafe.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine.Option;
import rubricem.app.bench.BenchLine;
import rubricem.app.bench.LearnerFigures;
import rubricem.app.bench.PeerLearner;
import rubricem.app.node.TrainingConfig;
import rubricem.gpu.bench.BenchShape;
import rubricem.gpu.device.PrecisionChoice;
import rubricem.gpu.model.Precision;

/** The options of {@code bench learner}. */
final class LearnerBenchOptions {
  private static final Set<String> PARTS = Set.of("train", "generate", "step");
  private static final String PROFILE = "profile";

  @Option(
      names = "--shape", paramLabel = "NAME", split = ",",
      description = "learner: tiny1m, small10m, 135m. Default: tiny1m,small10m")
  private List<String> shapes = List.of("tiny1m", "small10m");

  @Option(
      names = "--dtype", paramLabel = "NAME", description = "learner: fp32 or bf16. Default: fp32")
  private String dtype = "fp32";

  @Option(
      names = "--peer", paramLabel = "PYTHON",
      description = "learner: an interpreter with transformers and TRL, measured in turn.")
  private Path peer;

  @Option(
      names = "--peers", paramLabel = "DIR",
      description = "learner: where its script lies. Default: ../shared/peers")
  private Path peers = Path.of("..", "shared", "peers");

  @Option(
      names = "--only", paramLabel = "PART", split = ",",
      description =
          "learner: train, generate, step (a whole GRPO step, tiny1m and small10m), or profile (where"
              + " the seconds of such a step go, without the peer). Default: train,generate,step.")
  private Set<String> only = PARTS;

  @Option(
      names = "--leak",
      description = "learner: many small steps, and what memory they leave behind.")
  private boolean leak;

  @Option(names = "--steps", paramLabel = "N", description = "With --leak. Default: 5000")
  private int steps = 5000;

  void run(Config config, Consumer<BenchLine> out) throws IOException {
    Precision precision =
        switch (precision()) {
          case FP32 -> Precision.FP32;
          case BF16 -> Precision.BF16;
          case AUTO -> throw Failure.usage("--dtype is fp32 or bf16.");
        };
    List<BenchShape> chosen;
    try {
      chosen = shapes.stream().map(BenchShape::named).toList();
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--shape: " + e.getMessage() + ".");
    }
    if (peer != null && !Files.isRegularFile(peers.resolve("hf_learner.py"))) {
      throw Failure.usage(peers + " has no hf_learner.py; name its folder with --peers DIR.");
    }
    Set<String> known = new HashSet<>(PARTS);
    known.add(PROFILE);
    if (!known.containsAll(only)) {
      throw Failure.usage("--only takes train, generate, step and profile, not " + only + ".");
    }
    if (steps < 1) {
      throw Failure.usage("--steps is at least 1.");
    }
    LearnerFigures figures =
        new LearnerFigures(config, peer == null ? null : new PeerLearner(peer, peers), out);
    for (BenchShape shape : chosen) {
      if (leak) {
        figures.leak(shape, precision, steps);
      } else {
        if (only.contains("train")) {
          figures.train(shape, precision);
        }
        if (only.contains("generate")) {
          figures.generate(shape, precision);
        }
        if (only.contains("step") && shape != BenchShape.M135) {
          figures.wholeStep(shape, precision);
        }
        if (only.contains(PROFILE)) {
          figures.profile(shape, precision);
        }
      }
    }
  }

  private PrecisionChoice precision() {
    try {
      return TrainingConfig.precision(dtype);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--dtype: " + e.getMessage() + ".");
    }
  }
}
