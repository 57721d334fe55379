package rubricem.gpu.policy;

import ai.djl.Device;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.checkpoint.BrokenCheckpoint;
import rubricem.gpu.checkpoint.Checkpoint;
import rubricem.gpu.checkpoint.CheckpointCheck;
import rubricem.gpu.checkpoint.CheckpointFolder;
import rubricem.gpu.device.DeviceAbsentException;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.DeviceThread;
import rubricem.gpu.generate.Generator;
import rubricem.gpu.model.LoraWeights;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.text.ChatTemplate;
import rubricem.gpu.text.QwenTokenizer;
import rubricem.gpu.train.Computing;
import rubricem.gpu.train.TrainedModel;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenConfig;
import rubricem.gpu.weights.UnusableFolderException;

/**
 * A folder's model, ready to generate: its weights on a device, its tokenizer, and what ends its
 * texts. Its tensors live and end with a device thread, so that a process that is told to end
 * leaves no native call half-way. The folder may hold a model or an adapter whose configuration names
 * the folder of its base; a checkpoint of a run gives its policy version, and is compared with its
 * checksums first.
 */
public final class LocalModel implements AutoCloseable {
  private final Path folder;
  private final DeviceThread thread;
  private final Generator generator;
  private final @Nullable QwenTokenizer tokenizer;
  private final Set<Integer> stopIds;

  private LocalModel(
      Path folder, DeviceThread thread, Generator generator, @Nullable QwenTokenizer tokenizer,
      Set<Integer> stopIds) {
    this.folder = folder;
    this.thread = thread;
    this.generator = generator;
    this.tokenizer = tokenizer;
    this.stopIds = Set.copyOf(stopIds);
  }

  /**
   * @throws IOException where the folder cannot be used, with a sentence that says why
   * @throws DeviceAbsentException for a device that is not there
   */
  public static LocalModel open(Path folder, LocalSettings settings, int processors)
      throws IOException {
    long version = version(folder);
    Path base = base(folder);
    ModelFolder model = ModelFolder.open(base);
    refuseTooLarge(model, settings, memoryBytes(settings.device()));
    Path file = tokenizerFile(folder, base);
    QwenTokenizer tokenizer = Files.isRegularFile(file) ? QwenTokenizer.open(file) : null;
    DeviceThread thread = DeviceThread.start("local-model");
    try {
      refuseOther(file, tokenizer, model);
      Generator generator =
          thread.callIo(() -> generator(folder, base, model, settings, processors, version));
      thread.whenStopping(generator::close);
      return new LocalModel(folder, thread, generator, tokenizer, model.stopIds());
    } catch (IOException | RuntimeException e) {
      thread.close();
      if (tokenizer != null) {
        tokenizer.close();
      }
      throw e;
    }
  }

  private static void refuseOther(
      Path file, @Nullable QwenTokenizer tokenizer, ModelFolder model) throws IOException {
    int known = tokenizer == null ? 0 : tokenizer.bytes().size();
    if (known > model.shape().vocabulary()) {
      throw new UnusableFolderException(
          file,
          "it has " + known + " tokens and the model " + model.shape().vocabulary()
              + "; it belongs to another model");
    }
  }

  private static Generator generator(
      Path folder, Path base, ModelFolder model, LocalSettings settings, int processors,
      long version)
      throws IOException {
    Device device = settings.device().present();
    try (Snapshot weights = weights(folder, base, model, device, settings, version)) {
      return new Generator(
          weights, settings.generator(model.shape().parameters(), processors));
    }
  }

  /**
   * Looks whether a policy can be made of it, so that whoever starts with one hears at the start
   * what would else fail its first call. Nothing is brought to a device; weights are read only
   * where there is a checksum to compare them with.
   *
   * @param least what it must have room for
   */
  public static void check(Path folder, LocalSettings settings, List<LeastTurn> least)
      throws IOException {
    if (settings.device() instanceof DeviceName.Cuda) {
      settings.device().present();
    }
    check(folder, settings, least, memoryBytes(settings.device()));
  }

  static void check(
      Path folder, LocalSettings settings, List<LeastTurn> least, long memoryBytes)
      throws IOException {
    if (CheckpointFolder.isUnfinished(folder)) {
      throw new UnusableFolderException(folder, "a checkpoint that was never completed");
    }
    Path base = base(folder);
    ModelFolder model = ModelFolder.open(base);
    refuseTooLarge(model, settings, memoryBytes);
    Path file = tokenizerFile(folder, base);
    if (!Files.isRegularFile(file)) {
      throw new UnusableFolderException(
          file, "it is not there; a model needs its tokenizer to read text");
    }
    try (QwenTokenizer tokenizer = QwenTokenizer.open(file)) {
      refuseOther(file, tokenizer, model);
      refuseTooShort(model, settings, new TurnPrompt(tokenizer.conversing()), least);
    }
    if (!base.equals(folder)) {
      LoraFolder.read(folder, model.shape());
      TrainedModel.refuseOtherBase(folder, model);
    }
    version(folder);
  }

  private static long memoryBytes(DeviceName device) {
    return switch (device) {
      case DeviceName.Cpu cpu ->
          // of a container, where there is one; libtorch need not be started for it
          ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
              .getTotalMemorySize();
      case DeviceName.Cuda cuda -> Computing.Machine.here(cuda).memoryBytes();
    };
  }

  /** The system would end the process without a word, or the machine would stand still. */
  private static void refuseTooLarge(ModelFolder model, LocalSettings settings, long memoryBytes)
      throws UnusableFolderException {
    long weight =
        switch (settings.precision()) {
          case FP32 -> 2 * Float.BYTES;
          case BF16 -> Float.BYTES + Short.BYTES;
          case FP64 -> 2 * Double.BYTES;
        };
    long needed = model.shape().parameters() * weight;
    if (needed > memoryBytes) {
      throw new UnusableFolderException(
          model.folder(),
          String.format(
              Locale.ROOT,
              "it needs %.1f GB of memory while its weights are read, and %s has %.1f GB; take a"
                  + " smaller model%s, or a machine with more",
              needed / 1e9, settings.device(), memoryBytes / 1e9,
              settings.precision() == Precision.BF16
                  ? ""
                  : ", or rubricem.generation.precision = BF16"));
    }
  }

  /** The first long prompt would fail, and with it every episode. */
  private static void refuseTooShort(
      ModelFolder model, LocalSettings settings, TurnPrompt prompts, List<LeastTurn> least)
      throws UnusableFolderException {
    int context = Math.min(settings.context(), model.shape().maxPositions());
    for (LeastTurn turn : least) {
      int prompt =
          prompts.tokens(turn.systemPrompt(), turn.messages(), text -> Optional.empty()).length;
      int answer = prompts.written(turn.turn()).length;
      if (prompt + answer > context) {
        throw new UnusableFolderException(
            model.folder(),
            "the shortest prompt of the stage " + turn.stage() + " has " + prompt
                + " tokens, the shortest answer to it " + answer + ", and the context is "
                + Generator.contextWords(settings.context(), model.shape())
                + "; take a model with a longer one, or raise that limit");
      }
    }
  }

  private static Snapshot weights(
      Path folder, Path base, ModelFolder model, Device device, LocalSettings settings,
      long version)
      throws IOException {
    if (base.equals(folder)) {
      return Snapshot.open(model, device, settings.precision(), version);
    }
    TrainedModel.refuseOtherBase(folder, model);
    LoraWeights adapter =
        LoraWeights.of(LoraFolder.read(folder, model.shape()), model.shape());
    try (Qwen3 merged =
        Qwen3.of(
            model.shape(), model::tensor, device, settings.precision(),
            RotaryFrequencies.FLOAT32, adapter)) {
      return merged.snapshot(version);
    }
  }

  /** The policy version that a checkpoint of a run holds; 0 for any other model. */
  private static long version(Path folder) throws IOException {
    CheckpointCheck found = CheckpointFolder.holding(folder).orElse(null);
    return switch (found) {
      case null -> 0;
      case Checkpoint sound -> sound.state().policyVersion();
      case BrokenCheckpoint broken ->
          throw new UnusableFolderException(
              folder, broken.reason() + "; such a checkpoint is never loaded, take an earlier one");
    };
  }

  private static Path base(Path folder) throws IOException {
    Path adapter = folder.resolve(LoraFolder.CONFIG);
    if (!Files.isRegularFile(adapter) || Files.exists(folder.resolve(QwenConfig.FILE))) {
      return folder;
    }
    Path base =
        LoraFolder.base(folder).orElseThrow(
            () ->
                new UnusableFolderException(
                    adapter, "it names no base model; write the path of its folder there"));
    if (!Files.isDirectory(base)) {
      throw new UnusableFolderException(
          adapter,
          "it names the base model " + base + ", which is no folder here; bring the base there, or"
              + " write its path there");
    }
    return base;
  }

  private static Path tokenizerFile(Path folder, Path base) {
    Path own = folder.resolve(ModelFolder.TOKENIZER);
    return Files.isRegularFile(own) ? own : base.resolve(ModelFolder.TOKENIZER);
  }

  public Path folder() {
    return folder;
  }

  public Generator generator() {
    return generator;
  }

  /** @throws IllegalArgumentException where the folder has none: it can only be given tokens */
  public QwenTokenizer tokenizer() {
    if (tokenizer == null) {
      throw new IllegalArgumentException(
          folder + " has no tokenizer.json, so it reads no text; give the prompt as tokens");
    }
    return tokenizer;
  }

  public boolean readsText() {
    return tokenizer != null;
  }

  /** Tokens that end a text, as the folder names them. */
  public Set<Integer> stopIds() {
    return stopIds;
  }

  /** Those that end a turn of a conversation: its end mark is one, whatever the folder names. */
  public Set<Integer> turnStopIds() {
    Set<Integer> ids = new HashSet<>(stopIds);
    tokenizer().id(ChatTemplate.TURN_END).ifPresent(ids::add);
    return ids;
  }

  /** Ends all generating between two tokens; what runs fails. */
  public void stop() {
    thread.stop();
  }

  @Override
  public void close() {
    thread.close();
    if (tokenizer != null) {
      tokenizer.close();
    }
  }
}
