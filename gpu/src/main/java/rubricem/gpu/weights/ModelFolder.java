package rubricem.gpu.weights;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Qwen3 in the layout of Hugging Face: configuration, weights and, where they are there,
 * generation settings and tokenizer. An open folder is complete: exactly the tensors that its shape
 * needs, of the right shapes, in a type that holds real numbers. A tied head may lie there once
 * more if it is the embedding bit by bit; it is not shown. Opening reads headers only, so a large
 * model costs nothing until its tensors are asked for.
 */
public final class ModelFolder {
  public static final String GENERATION = "generation_config.json";
  public static final String TOKENIZER = "tokenizer.json";

  /** What belongs to the model but to none of our mathematics: carried along unchanged. */
  static final List<String> COMPANIONS =
      List.of(
          GENERATION, TOKENIZER, "tokenizer_config.json", "special_tokens_map.json",
          "added_tokens.json", "vocab.json", "merges.txt", "chat_template.jinja");

  private static final int DIGITS_SHOWN = 12;

  private final Path folder;
  private final QwenConfig config;
  private final ShardedWeights weights;
  private final List<TensorSpec> specs;
  private @Nullable String checksum;

  private ModelFolder(
      Path folder, QwenConfig config, ShardedWeights weights, List<TensorSpec> specs) {
    this.folder = folder;
    this.config = config;
    this.weights = weights;
    this.specs = specs;
  }

  public static ModelFolder open(Path folder) throws IOException {
    UnusableFolderException.requireFolder(folder);
    if (Files.exists(folder.resolve(LoraFolder.CONFIG))
        && !Files.exists(folder.resolve(QwenConfig.FILE))) {
      throw new UnusableFolderException(folder, "an adapter; name its base model as well");
    }
    QwenConfig config = QwenConfig.read(folder);
    ShardedWeights weights = ShardedWeights.open(folder);
    List<TensorSpec> specs = ModelTensorCheck.check(weights, config.shape());
    return new ModelFolder(folder, config, weights, specs);
  }

  public Path folder() {
    return folder;
  }

  public QwenConfig config() {
    return config;
  }

  public QwenShape shape() {
    return config.shape();
  }

  /** In the order of the model, without a tied head. */
  public List<TensorSpec> specs() {
    return specs;
  }

  public StoredTensor tensor(String name) throws IOException {
    return weights.tensor(name);
  }

  /** All of them, mapped and not read, in the order of the model. */
  public List<StoredTensor> tensors() throws IOException {
    List<StoredTensor> out = new ArrayList<>();
    for (TensorSpec spec : specs) {
      out.add(tensor(spec.name()));
    }
    return out;
  }

  /**
   * Over all weights and the constants of the shape, whatever files they lie in. The first call
   * reads all of it, about a second a gigabyte; later ones remember.
   */
  public synchronized String checksum() throws IOException {
    String known = checksum;
    if (known == null) {
      known = ModelChecksum.of(this);
      checksum = known;
    }
    return known;
  }

  /** As much of a checksum as tells two of them apart in a sentence. */
  public static String brief(String checksum) {
    return checksum.length() > DIGITS_SHOWN ? checksum.substring(0, DIGITS_SHOWN) + "…" : checksum;
  }

  /** Empty where the folder has none. */
  public Optional<Path> tokenizer() {
    return Optional.of(folder.resolve(TOKENIZER)).filter(Files::isRegularFile);
  }

  /**
   * What decides how a text becomes tokens, for this program or for others: tokenizer, special
   * tokens, chat template. Those that the folder has, sorted.
   */
  public List<Path> textFiles() {
    return COMPANIONS.stream()
        .filter(name -> !name.equals(GENERATION))
        .map(folder::resolve)
        .filter(Files::isRegularFile)
        .sorted()
        .toList();
  }

  /** The tokens that end a generation: those of its settings and those of the model. */
  public Set<Integer> stopIds() throws IOException {
    Set<Integer> out = new LinkedHashSet<>();
    Path file = folder.resolve(GENERATION);
    if (Files.exists(file)) {
      ObjectNode root = Json.read(file);
      out.addAll(new ConfigKeys(file, root).ids("eos_token_id"));
    }
    out.addAll(shape().eosIds());
    return out;
  }

  /**
   * Writes in one type; what else {@code like} has beside its weights is carried along.
   *
   * @param target another folder: tensors of {@code like} are still read while this is written
   */
  public static void write(
      Path target, ModelFolder like, Dtype dtype, SafeTensors.TensorBytes bytes)
      throws IOException {
    Files.createDirectories(target);
    if (Files.isSameFile(target, like.folder)) {
      throw new IllegalArgumentException(target + " cannot be written while it is read");
    }
    copyCompanions(like.folder, target);
    write(target, like.config, dtype, bytes, ShardedWeights.SHARD_BYTES);
  }

  /**
   * Configuration and weights alone. The weights come last: a folder with weights is whole.
   *
   * @param bytes by the names of {@link QwenTensors#shapes}, in {@code dtype}
   */
  public static void write(
      Path target,
      QwenConfig config,
      Dtype dtype,
      SafeTensors.TensorBytes bytes,
      long shardBytesMax)
      throws IOException {
    if (!dtype.isReal()) {
      throw new IllegalArgumentException(dtype + " is no type for weights");
    }
    Files.createDirectories(target);
    config.withDtype(dtype).write(target);
    List<TensorSpec> specs =
        QwenTensors.shapes(config.shape()).values().stream()
            .map(s -> new TensorSpec(s.name(), dtype, s.shape()))
            .toList();
    ShardedWeights.write(target, specs, bytes, shardBytesMax);
  }

  /** Configuration and weights from tensors in memory, which share one type. */
  public static void write(Path target, QwenConfig config, Map<String, StoredTensor> tensors)
      throws IOException {
    Dtype dtype = tensors.values().iterator().next().dtype();
    for (StoredTensor tensor : tensors.values()) {
      if (tensor.dtype() != dtype) {
        throw new IllegalArgumentException(tensor + " among tensors of " + dtype);
      }
    }
    write(target, config, dtype, name -> tensors.get(name).bytes(), ShardedWeights.SHARD_BYTES);
  }

  /** Brings tokenizer and generation settings of a folder to another, as they are. */
  public static void copyCompanions(Path from, Path to) throws IOException {
    for (String name : COMPANIONS) {
      copy(from.resolve(name), to.resolve(name));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    if (Files.isRegularFile(from) && !(Files.exists(to) && Files.isSameFile(from, to))) {
      Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
