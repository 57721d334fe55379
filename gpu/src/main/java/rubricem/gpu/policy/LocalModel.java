package rubricem.gpu.policy;

import ai.djl.Device;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.generate.Generator;
import rubricem.gpu.model.LoraWeights;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.text.QwenTokenizer;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenConfig;

/**
 * A folder's model, ready to generate: its weights on a device, its tokenizer, and what ends its
 * texts. The folder may hold a model or an adapter whose configuration names the folder of its
 * base.
 */
public final class LocalModel implements AutoCloseable {
  private final Path folder;
  private final Generator generator;
  private final @Nullable QwenTokenizer tokenizer;
  private final Set<Integer> stopIds;

  private LocalModel(
      Path folder, Generator generator, @Nullable QwenTokenizer tokenizer, Set<Integer> stopIds) {
    this.folder = folder;
    this.generator = generator;
    this.tokenizer = tokenizer;
    this.stopIds = Set.copyOf(stopIds);
  }

  /**
   * @throws IOException where the folder cannot be used, with a sentence that says why
   * @throws IllegalArgumentException for a device that is not there
   */
  public static LocalModel open(Path folder, LocalSettings settings, int processors)
      throws IOException {
    Device device = DeviceName.find(settings.device());
    Path base = base(folder);
    ModelFolder model = ModelFolder.open(base);
    Path file = tokenizerFile(folder, base);
    QwenTokenizer tokenizer = Files.isRegularFile(file) ? QwenTokenizer.open(file) : null;
    try {
      refuseOther(file, tokenizer, model);
      return started(folder, base, model, device, settings, processors, tokenizer);
    } catch (IOException | RuntimeException e) {
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
      throw new IOException(
          file + " has " + known + " tokens and the model " + model.shape().vocabulary()
              + "; it belongs to another model");
    }
  }

  private static LocalModel started(
      Path folder, Path base, ModelFolder model, Device device, LocalSettings settings,
      int processors, @Nullable QwenTokenizer tokenizer)
      throws IOException {
    try (Snapshot weights = weights(folder, base, model, device, settings)) {
      return new LocalModel(
          folder,
          new Generator(
              weights, settings.generator(model.shape().parameters(), processors)),
          tokenizer, model.stopIds());
    }
  }

  /** Looks whether {@link #open} would succeed, without reading weights. */
  public static void check(Path folder, String device) throws IOException {
    Path base = base(folder);
    ModelFolder model = ModelFolder.open(base);
    if (!base.equals(folder)) {
      LoraFolder.read(folder, model.shape());
    }
    if (!Files.isRegularFile(tokenizerFile(folder, base))) {
      throw new IOException(
          tokenizerFile(folder, base) + " is not there; a model needs its tokenizer to read text");
    }
    DeviceName.find(device);
  }

  private static Snapshot weights(
      Path folder, Path base, ModelFolder model, Device device, LocalSettings settings)
      throws IOException {
    if (base.equals(folder)) {
      return Snapshot.open(model, device, settings.precision(), 0);
    }
    LoraWeights adapter =
        LoraWeights.of(LoraFolder.read(folder, model.shape()), model.shape());
    try (Qwen3 merged =
        Qwen3.of(
            model.shape(), model::tensor, device, settings.precision(),
            RotaryFrequencies.FLOAT32, adapter)) {
      return merged.snapshot(0);
    }
  }

  private static Path base(Path folder) throws IOException {
    Path adapter = folder.resolve(LoraFolder.CONFIG);
    if (!Files.isRegularFile(adapter) || Files.exists(folder.resolve(QwenConfig.FILE))) {
      return folder;
    }
    String name =
        new ObjectMapper().readTree(Files.readAllBytes(adapter))
            .path("base_model_name_or_path").asText();
    Path base = folder.resolve(name).normalize();
    if (name.isBlank() || !Files.isDirectory(base)) {
      throw new IOException(
          adapter + " names the base model \"" + name + "\", which is no folder here. Put the base"
              + " beside it and write its path there");
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

  public Set<Integer> stopIds() {
    return stopIds;
  }

  @Override
  public void close() {
    generator.close();
    if (tokenizer != null) {
      tokenizer.close();
    }
  }
}
