package rubricem.app.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import rubricem.app.node.LearnerConfig;
import rubricem.app.node.TrainingConfig;
import rubricem.app.run.RunFolder;
import rubricem.app.run.RunOrigin;
import rubricem.app.run.RunUnusableException;
import rubricem.app.run.SupervisedTraining;
import rubricem.gpu.device.DeviceAbsentException;
import rubricem.gpu.device.MemoryKeeping;
import rubricem.gpu.supervised.SupervisedPlan;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.persistence.serialization.DurableFormat;

/** {@code sft}: supervised training of a model on conversations. */
@Command(name = "sft",
    description = "Trains a model on conversations: what an assistant says is learned.",
    footer = {
      "",
      "The data are JSON Lines. A record is a conversation, {\"messages\": [{\"role\": \"user\","
          + " \"content\": ...}, ...]} with the keys of OpenAI's chat API (roles system, user,"
          + " assistant, tool; \"tools\" beside the messages; \"train\": false in a message that is"
          + " only to be read), or tokens, {\"ids\": [...], \"mask\": [0, 1, ...]}, or"
          + " {\"prompt\": ..., \"completion\": ...}, of which the second is learned. ShareGPT's"
          + " names are known. Tool output within an assistant's message is masked where it"
          + " stands in <tool_output> elements. The chat form drops the thoughts of all answers but the"
          + " last; with \"verbatim\": true beside the messages they stay, which is how a local policy"
          + " sees an episode.",
      "The run's folder gets config.conf, metrics.jsonl and checkpoints; a checkpoint is a model"
          + " folder of Hugging Face, or an adapter's of PEFT with --lora.",
      "Ctrl-C ends it with a checkpoint of the last whole step; --resume goes on from there.",
      "With --json: one summary object.",
      "",
      "Examples:",
      "  ./rubricem sft --data chats.jsonl --model ~/models/qwen3-0.6b --out runs/first",
      "  ./rubricem sft --resume --out runs/first"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done.", "1:Failed; what is in the last checkpoint is kept.", "2:Wrong usage.",
      "130:Interrupted; --resume goes on."
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class SftCommand implements Callable<Integer> {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'sft-'yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  /** Of SS-GRPO alone. */
  static final List<String> IDLE =
      List.of(
          "loss", "objective", "kl", "sampler-correction", "sequence-rejection",
          "off-policy-masking", "old-policy", "credit", "selection", "sampling", "staleness",
          "schedule");

  private static final String HINT =
      " They are of SS-GRPO, and sft has its own schedule, rubricem.learner.supervised.schedule.";

  @Option(names = "--data", paramLabel = "FILE", description = "Records, one a line.")
  private Path data;

  @Option(
      names = "--model", paramLabel = "DIR",
      description = "A Qwen3 in the layout of Hugging Face; it is only read.")
  private Path model;

  @Option(
      names = "--out", paramLabel = "DIR",
      description = "The run's folder. Default: a new one in runs of the data folder; with --resume"
          + " the newest there.")
  private Path out;

  @Option(names = "--resume", description = "Goes on with a run, as it was begun.")
  private boolean resume;

  @Option(names = "--epochs", paramLabel = "N", description = "Default: 5, as the paper")
  private Integer epochs;

  @Option(names = "--steps", paramLabel = "N", description = "So many steps instead of epochs.")
  private Long steps;

  @Option(names = "--batch", paramLabel = "N", description = "Records a step. Default: 128")
  private Integer batch;

  @Option(names = "--rate", paramLabel = "X", description = "Peak learning rate. Default: 4e-5")
  private Double rate;

  @Option(
      names = "--lora", paramLabel = "RANK", arity = "0..1", fallbackValue = "16",
      description = "Trains an adapter and not the weights. RANK without a number: 16")
  private Integer lora;

  @Option(
      names = "--checkpoint-every", paramLabel = "N",
      description = "Steps between two checkpoints. Default: 50")
  private Long checkpointEvery;

  @Option(names = "--seed", paramLabel = "N", description = "Of the order of records. Default: 1")
  private Long seed;

  @Option(names = "--device", paramLabel = "NAME", description = "cpu or cuda:N. Default: cpu")
  private String device;

  @Option(
      names = "--precision", paramLabel = "NAME",
      description = "fp32, bf16 or auto. Default: fp32")
  private String precision;

  @Mixin private CommonOptions common;

  private Path begun;

  @Override
  public Integer call() throws IOException {
    Console console = common.console();
    try {
      if (resume) {
        return goOn(console);
      }
      if (data == null || model == null) {
        throw Failure.usage("sft needs --data FILE and --model DIR, or --resume.");
      }
      if (!Files.isRegularFile(data) || !Files.isReadable(data)) {
        throw Failure.usage("The data file " + data + " cannot be read.");
      }
      Config config = withOptions(common.config());
      refuseWrong(config);
      Config run =
          SupervisedTraining.section(data, model, steps == null ? 0 : steps)
              .withFallback(ConfigFactory.empty().withValue("rubricem.learner",
                  config.getValue("rubricem.learner")));
      SupervisedTraining.Input input = SupervisedTraining.Input.read(run.withFallback(config));
      run = input.identified(run);
      Path folder =
          out == null ? runs().resolve(NAME.format(Clock.systemUTC().instant())) : out;
      if (Files.exists(folder)) {
        UnusableFolderException.requireFolder(folder);
      }
      OutputPlace.refuseOver("--out", folder, "--model", model);
      refuseEndless(SupervisedTraining.steps(run.withFallback(config), input));
      try (RunFolder begun = RunFolder.begin(folder.toAbsolutePath().normalize(), run)) {
        return train(console, begun, run.withFallback(config), input);
      }
    } catch (UnusableFolderException | DeviceAbsentException e) {
      throw Failure.usage(e.getMessage());
    } catch (RunUnusableException e) {
      throw Failure.work(e.getMessage());
    } catch (UncheckedIOException e) {
      throw Failure.work(DiskWords.of(e.getCause()) + left());
    } catch (IOException e) {
      throw Failure.work(DiskWords.of(e) + left());
    }
  }

  /** What a run that broke off leaves; empty where none was begun. */
  private String left() {
    return begun == null
        ? ""
        : " What is in the last checkpoint is kept: go on with  ./rubricem sft --resume --out "
            + begun;
  }

  private int goOn(Console console) throws IOException {
    if (Stream.of(data, model, epochs, steps, batch, rate, checkpointEvery, seed, lora)
        .anyMatch(Objects::nonNull)) {
      throw Failure.usage(
          "A run goes on as it was begun: with --resume only --out, --device and --precision"
              + " may be given.");
    }
    Path folder = out == null ? newest() : out;
    try (RunFolder run = RunFolder.open(folder.toAbsolutePath().normalize())) {
      Config begunWith = run.config(common.config());
      Config config = withOptions(begunWith);
      if (!config.hasPath(SupervisedTraining.SECTION + ".data-sha256")) {
        throw Failure.usage(folder + " is no run of sft.");
      }
      refuseWrong(config);
      List<String> overridden =
          RunOrigin.overridden(common.config(), ConfigFactory.load(), begunWith);
      if (!overridden.isEmpty()) {
        throw Failure.usage(
            "A run goes on as it was begun, and --config says otherwise: "
                + String.join(", ", overridden) + ". Leave these out; --device and --precision may"
                + " be given.");
      }
      return train(console, run, config, SupervisedTraining.Input.read(config));
    }
  }

  private Path runs() {
    return common.settings().dataDir().resolve("runs");
  }

  private Path newest() throws IOException {
    Path runs = runs();
    if (Files.isDirectory(runs)) {
      try (Stream<Path> folders = Files.list(runs)) {
        Path last =
            folders.filter(f -> f.getFileName().toString().startsWith("sft-"))
                .sorted()
                .reduce((a, b) -> b)
                .orElse(null);
        if (last != null) {
          return last;
        }
      }
    }
    throw Failure.usage("There is no run of sft in " + runs + ". Name one with --out DIR.");
  }

  private Config withOptions(Config config) {
    Map<String, Object> given = new LinkedHashMap<>();
    put(given, "supervised.epochs", epochs);
    put(given, "supervised.batch", batch);
    put(given, "supervised.schedule.rate", rate);
    put(given, "supervised.seed", seed);
    put(given, "checkpoints.every", checkpointEvery);
    put(given, "adapter.rank", lora);
    put(given, "device.name", device);
    put(given, "device.precision", precision);
    return ConfigFactory.parseMap(given, "the command line").withFallback(config);
  }

  private static void put(Map<String, Object> given, String key, Object value) {
    if (value != null) {
      given.put("rubricem.learner." + key, value);
    }
  }

  private void refuseWrong(Config config) {
    if (steps != null) {
      if (steps < 1) {
        throw Failure.usage("--steps is at least 1.");
      }
      refuseEndless(steps);
    }
    if (steps != null && epochs != null) {
      throw Failure.usage(
          "--steps and --epochs both say how long to train: give one of them.");
    }
    if (lora != null && lora == 0) {
      throw Failure.usage(
          "--lora 0 is no adapter: a rank is at least 1. Leave --lora away to train the weights"
              + " themselves.");
    }
    try {
      TrainingConfig.of(config);
      LearnerConfig.options(config);
    } catch (ConfigException e) {
      throw Failure.usage("These settings cannot be used: " + e.getMessage());
    }
  }

  private static void refuseEndless(long steps) {
    if (steps > SupervisedPlan.STEPS_MAX) {
      throw Failure.usage(
          "A run has at most " + SupervisedPlan.STEPS_MAX + " steps, and this one would have "
              + steps + ": take fewer --steps or --epochs, or a larger --batch.");
    }
  }

  private int train(
      Console console, RunFolder folder, Config config, SupervisedTraining.Input input)
      throws IOException {
    LogFile.use(folder.path());
    begun = folder.path();
    IdleSettings.in(config, IDLE).sentence().ifPresent(said -> console.warn(said + HINT));
    List<String> unchosen =
        IdleSettings.unchosen(config).stream().filter(key -> key.startsWith("adapter.")).toList();
    IdleSettings.in(config, unchosen)
        .sentence()
        .ifPresent(said -> console.warn(said + " There is no adapter: --lora trains one."));
    MemoryKeeping.missing().ifPresent(console::say);
    Signals signals = Signals.taken();
    SupervisedTraining.Outcome outcome =
        new SupervisedTraining(
                folder, config, input, Clock.systemUTC(), System::nanoTime,
                thread -> signals.onFirst(thread::stop),
                new SftProgress(console))
            .run();
    report(console, folder, outcome);
    if (!outcome.whole()) {
      console.warn(
          "Interrupted after step " + outcome.step() + " of " + outcome.steps()
              + ". Go on with  ./rubricem sft --resume --out " + folder.path());
      return Failure.INTERRUPTED;
    }
    if (outcome.steps() > 0 && outcome.skippedSteps() >= outcome.steps()) {
      throw Failure.work(
          "Every step was skipped, because loss or gradients were no finite numbers: nothing was"
              + " trained. Look for weights or data that are not finite; metrics.jsonl in "
              + folder.path() + " has the reason of each step.");
    }
    return 0;
  }

  private void report(Console console, RunFolder folder, SupervisedTraining.Outcome outcome)
      throws IOException {
    if (!common.json) {
      console.out(
          SftProgress.summary(outcome) + "\nThe run: " + folder.path()
              + (outcome.checkpoint() == null ? "" : "\nThe model: " + outcome.checkpoint())
              + "\n");
      return;
    }
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("run", folder.path().toString());
    summary.put(
        "checkpoint", outcome.checkpoint() == null ? null : outcome.checkpoint().toString());
    summary.put("step", outcome.step());
    summary.put("steps", outcome.steps());
    summary.put("rows", outcome.data().rows().size());
    summary.put("rows_left_out", outcome.omitted());
    summary.put("loss_first", finite(outcome.firstLoss()));
    summary.put("loss_last", finite(outcome.lastLoss()));
    summary.put("tokens", outcome.tokens());
    summary.put("seconds", outcome.seconds());
    summary.put("tokens_per_second", outcome.tokensPerSecond());
    summary.put("skipped_steps", outcome.skippedSteps());
    console.out(
        TerminalText.json(DurableFormat.json().writeValueAsString(summary)) + "\n");
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
