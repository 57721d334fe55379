package rubricem.app.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.typesafe.config.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import rubricem.app.node.LearnerConfig;
import rubricem.app.node.TrainingConfig;
import rubricem.gpu.checkpoint.BrokenCheckpoint;
import rubricem.gpu.checkpoint.Checkpoint;
import rubricem.gpu.checkpoint.CheckpointFolder;
import rubricem.gpu.checkpoint.LatestCheckpoint;
import rubricem.gpu.device.DeviceThread;
import rubricem.gpu.device.MatmulRates;
import rubricem.gpu.model.Precision;
import rubricem.gpu.supervised.RowOrder;
import rubricem.gpu.supervised.RowSettings;
import rubricem.gpu.supervised.SupervisedFile;
import rubricem.gpu.supervised.SupervisedPlan;
import rubricem.gpu.supervised.SupervisedRun;
import rubricem.gpu.text.QwenTokenizer;
import rubricem.gpu.train.Computing;
import rubricem.gpu.train.StepFlops;
import rubricem.gpu.train.StepReport;
import rubricem.gpu.train.TrainSettings;
import rubricem.gpu.train.TrainedModel;
import rubricem.gpu.weights.LoraConfig;
import rubricem.gpu.weights.ModelFolder;

/**
 * One supervised run in its folder, from reading the data to the last checkpoint. All that decides
 * what is learned is in the run's own configuration, so going on needs nothing but the folder. Data
 * that changed meanwhile are refused. The tensors belong to a device thread of its own; when that
 * is stopped, the run ends with a checkpoint of the last whole step.
 */
public final class SupervisedTraining {
  /** The section of a run's configuration that says what it is. */
  public static final String SECTION = RunOrigin.SECTION;

  /** Hears how it goes. */
  public interface Progress {
    void read(SupervisedFile data);

    /** What it computes with, and where it begins. */
    void begins(String machine, SupervisedRun.Position from, long steps);

    /** All steps were done before. */
    void finished(Checkpoint last, long steps);

    void skippedCheckpoint(BrokenCheckpoint broken);

    void step(SupervisedRun.Step step, double utilisation, long steps);

    void saved(Checkpoint checkpoint);
  }

  /** What a run reads. */
  public record Input(ModelFolder model, SupervisedFile rows) {
    /**
     * Reads and checks all of it, before anything is written.
     *
     * @param config with the section {@link #section}
     */
    public static Input read(Config config) throws IOException {
      Config run = config.getConfig(SECTION);
      Path data = Path.of(run.getString("data"));
      RunOrigin.refuseOtherData(data, run);
      TrainingConfig training = TrainingConfig.of(config);
      // a device that is not there is said first
      training.computing().device().present();
      RunOrigin.refuseOtherConfig(Path.of(run.getString("model")), run);
      ModelFolder model = ModelFolder.open(Path.of(run.getString("model")));
      RunOrigin.refuseOtherModel(model, run);
      SupervisedFile rows =
          rowsOf(
              model, data, training.supervised().rows().upTo(model.shape().maxPositions()));
      if (rows.rows().isEmpty()) {
        throw new RunUnusableException(
            "No record of " + data + " can be trained on" + reasons(rows));
      }
      return new Input(model, rows);
    }

    /** The run's section with what tells its model from another; reads all weights once. */
    public Config identified(Config config) throws IOException {
      return RunOrigin.identified(config, model);
    }
  }

  /** What a run came to. */
  public record Outcome(
      long step, long steps, double firstLoss, double lastLoss, long tokens, double seconds,
      long skippedSteps, SupervisedFile data, @Nullable Path checkpoint) {
    public boolean whole() {
      return step == steps;
    }

    /** What went through the model, over the time of all steps. */
    public double tokensPerSecond() {
      return seconds > 0 ? tokens / seconds : 0;
    }

    public Map<String, Object> omitted() {
      Map<String, Object> out = new LinkedHashMap<>();
      data.omitted().forEach((why, count) -> out.put(why.label(), count));
      return out;
    }
  }

  private final RunFolder folder;
  private final Config config;
  private final TrainingConfig training;
  private final Input input;
  private final Clock clock;
  private final LongSupplier nanos;
  private final Consumer<DeviceThread> onThread;
  private final Progress progress;

  /** @param onThread gets the thread that computes, to stop it */
  public SupervisedTraining(
      RunFolder folder, Config config, Input input, Clock clock, LongSupplier nanos,
      Consumer<DeviceThread> onThread, Progress progress) {
    this.folder = folder;
    this.config = config;
    this.training = TrainingConfig.of(config);
    this.input = input;
    this.clock = clock;
    this.nanos = nanos;
    this.onThread = onThread;
    this.progress = progress;
  }

  /**
   * The section that a run of these files needs.
   *
   * @param steps 0: as many as the epochs need
   */
  public static Config section(Path data, Path model, long steps) throws IOException {
    return RunOrigin.section(data, model, steps);
  }

  private static RowOrder order(TrainingConfig.Supervised how, Input input) {
    return new RowOrder(input.rows().rows().size(), how.batch(), how.seed());
  }

  /** Of the whole run, whether somebody said how many or how often over the data. */
  public static long steps(Config config, Input input) {
    long steps = config.getLong(SECTION + ".steps");
    TrainingConfig.Supervised how = TrainingConfig.of(config).supervised();
    return steps > 0 ? steps : how.epochs() * order(how, input).stepsOfEpoch();
  }

  /** Trains from the newest checkpoint, or from the model where there is none. */
  public Outcome run() throws IOException {
    SupervisedFile rows = input.rows();
    progress.read(rows);
    RowOrder order = order(training.supervised(), input);
    SupervisedPlan plan =
        new SupervisedPlan(
            order, steps(config, input),
            training.supervised().rate(), training.checkpointEvery(), RunOrigin.deciding(config));
    try (DeviceThread thread = DeviceThread.start("learner")) {
      onThread.accept(thread);
      return thread.callIo(() -> train(input.model(), rows, plan, thread));
    }
  }

  private static String reasons(SupervisedFile rows) {
    StringBuilder out = new StringBuilder();
    rows.omitted().forEach(
        (why, count) ->
            out.append(out.isEmpty() ? ": " : ", ").append(why.label()).append(' ').append(count));
    return out.append('.').toString();
  }

  private static SupervisedFile rowsOf(ModelFolder model, Path data, RowSettings settings)
      throws IOException {
    int vocabulary = model.shape().vocabulary();
    List<Integer> ends = model.shape().eosIds();
    OptionalInt end =
        ends.size() == 1 ? OptionalInt.of(ends.getFirst()) : OptionalInt.empty();
    if (model.tokenizer().isEmpty()) {
      return SupervisedFile.read(
          data, settings, vocabulary, noTokenizer(model), OptionalInt.empty());
    }
    try (QwenTokenizer tokenizer = QwenTokenizer.open(model.tokenizer().get())) {
      return SupervisedFile.read(
          data, settings, vocabulary, text -> tokenizer.conversing().encode(text), end);
    }
  }

  private static Function<String, int[]> noTokenizer(ModelFolder model) {
    return text -> {
      throw new IllegalArgumentException(
          "a conversation needs a tokenizer, and " + model.folder() + " has no "
              + ModelFolder.TOKENIZER);
    };
  }

  private Outcome train(
      ModelFolder base, SupervisedFile rows, SupervisedPlan plan, DeviceThread thread)
      throws IOException {
    Computing computing = training.computing();
    Computing.Machine machine = Computing.Machine.here(computing.device());
    MatmulRates rates = MatmulRates.measure(computing.device(), machine.cores(), nanos);
    Precision precision = computing.precision().on(rates);
    LoraConfig adapter =
        training
            .adapter(LearnerConfig.options(config).adapter(), base.folder())
            .orElse(null);
    long trained = adapter == null ? base.shape().parameters() : 0;
    TrainSettings settings = computing.on(machine, base.shape(), Float.BYTES * trained);
    TrainedModel.Setup setup =
        new TrainedModel.Setup(
            computing.device(), precision, adapter, training.optimiser(), settings,
            plan.order().seed(), nanos);
    CheckpointFolder checkpoints = folder.checkpoints(training.checkpoints(), clock);
    Checkpoint found = newest(checkpoints.latest());
    SupervisedRun.Position from =
        found == null ? SupervisedRun.Position.START : SupervisedRun.Position.of(found);
    folder.keepUntil(from.step());
    if (found != null && from.step() >= plan.steps()) {
      progress.finished(found, plan.steps());
      return new Outcome(
          from.step(), plan.steps(), Double.NaN, Double.NaN, 0, 0, folder.skippedSteps(), rows,
          found.folder());
    }
    progress.begins(
        computing.device() + ", " + precision.name().toLowerCase(Locale.ROOT) + ", "
            + settings.workers() + " x " + settings.threads() + " threads",
        from, plan.steps());
    Ledger ledger =
        new Ledger(base, adapter != null, rates.of(precision), plan.steps(), found);
    try (TrainedModel model =
        found == null
            ? TrainedModel.open(base, setup)
            : TrainedModel.resume(base, found, setup)) {
      new SupervisedRun(model, rows.rows(), plan, checkpoints, ledger)
          .run(from, thread::stopping);
    }
    return ledger.outcome(from, rows);
  }

  /** Where the run goes on; null where it begins. */
  private @Nullable Checkpoint newest(LatestCheckpoint latest) {
    Checkpoint found = latest.found().orElse(null);
    if (found == null) {
      folder.refuseLost(latest.skipped(), training.checkpointEvery());
    } else {
      RunOrigin.refuseChanged(config, found, folder.path());
    }
    latest.skipped().forEach(progress::skippedCheckpoint);
    return found;
  }

  /** Writes down what happens, and adds it up. */
  private final class Ledger implements SupervisedRun.Listener {
    private final ModelFolder base;
    private final boolean adapter;
    private final double peak;
    private final long steps;
    private @Nullable Path checkpoint;
    private double first = Double.NaN;
    private double last = Double.NaN;
    private long done;
    private long tokens;
    private double seconds;
    private long skipped;

    /** @param peak 10^9 operations a second of this machine's products */
    Ledger(
        ModelFolder base, boolean adapter, double peak, long steps, @Nullable Checkpoint found)
        throws IOException {
      this.base = base;
      this.adapter = adapter;
      this.peak = peak;
      this.steps = steps;
      checkpoint = found == null ? null : found.folder();
      skipped = folder.skippedSteps();
    }

    @Override
    public void onStep(SupervisedRun.Step step) {
      StepReport report = step.report();
      double utilisation = utilisation(step);
      double loss = loss(report);
      first = Double.isNaN(first) ? loss : first;
      last = Double.isNaN(loss) ? last : loss;
      done = step.number();
      tokens += report.tokens();
      seconds += report.seconds();
      skipped += report.skipped() == null ? 0 : 1;
      try {
        folder.append(metrics(step, utilisation));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      progress.step(step, utilisation, steps);
    }

    private double utilisation(SupervisedRun.Step step) {
      StepReport report = step.report();
      double flops =
          StepFlops.of(
              base.shape(), adapter, report.tokens(), report.sums().tokens(), step.attended());
      return report.seconds() > 0 ? flops / report.seconds() / (peak * 1e9) : 0;
    }

    private ObjectNode metrics(SupervisedRun.Step step, double utilisation) {
      StepReport report = step.report();
      ObjectNode out = JsonNodeFactory.instance.objectNode();
      out.put("step", step.number()).put("arm", "supervised").put("epoch", step.epoch());
      out.put("policy_version", step.policyVersion()).put("rows", step.rows());
      number(out, "loss", loss(report));
      out.put("lr", report.learningRate());
      number(out, "grad_norm", report.gradNorm());
      out.put("tokens", report.tokens()).put("trained_tokens", report.sums().tokens());
      out.put("seconds", report.seconds());
      out.put("tokens_per_second", report.seconds() > 0 ? report.tokens() / report.seconds() : 0);
      out.put("flop_utilisation", utilisation);
      StepReport.Skipped why = report.skipped();
      out.put("skipped", why == null ? null : why.name().toLowerCase(Locale.ROOT));
      out.put("skipped_steps", skipped);
      return out;
    }

    /** That of a step that was skipped is none, and certainly not 0. */
    private static double loss(StepReport report) {
      return report.skipped() == null ? report.loss() : Double.NaN;
    }

    /** JSON has no word for what is no number. */
    private static void number(ObjectNode out, String key, double value) {
      if (Double.isFinite(value)) {
        out.put(key, value);
      } else {
        out.putNull(key);
      }
    }

    @Override
    public void onCheckpoint(Checkpoint saved) {
      checkpoint = saved.folder();
      progress.saved(saved);
    }

    Outcome outcome(SupervisedRun.Position from, SupervisedFile rows) {
      return new Outcome(
          Math.max(done, from.step()), steps, first, last, tokens, seconds, skipped, rows,
          checkpoint);
    }
  }
}
