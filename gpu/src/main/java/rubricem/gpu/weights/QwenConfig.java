package rubricem.gpu.weights;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The {@code config.json} of a Qwen3, in the spelling of transformers 5 ({@code rope_parameters},
 * {@code dtype}) or of those before ({@code rope_theta}, {@code torch_dtype}). Reading refuses what
 * would make another model than ours computes, by the name of the key; it never guesses a size.
 * Keys nobody here knows are kept, and writing keeps the spelling that was read.
 */
public final class QwenConfig {
  public static final String FILE = "config.json";

  private final ObjectNode root;
  private final QwenShape shape;

  private QwenConfig(ObjectNode root, QwenShape shape) {
    this.root = root;
    this.shape = shape;
  }

  public static QwenConfig read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    return of(file, Json.read(file));
  }

  static QwenConfig of(Path file, ObjectNode root) throws IOException {
    QwenConfigRules.check(file, root);
    try {
      return new QwenConfig(root, shape(new ConfigKeys(file, root)));
    } catch (IllegalArgumentException e) {
      throw new UnusableFolderException(file, e.getMessage());
    }
  }

  /** For a model that is made here; in the older spelling, which every version reads. */
  public static QwenConfig fresh(QwenShape shape, Dtype dtype) {
    return new QwenConfig(FreshConfig.of(shape, dtype), shape);
  }

  private static QwenShape shape(ConfigKeys keys) throws IOException {
    int heads = keys.size("num_attention_heads");
    return new QwenShape(
        keys.size("vocab_size"),
        keys.size("hidden_size"),
        keys.size("num_hidden_layers"),
        heads,
        keys.isNull("num_key_value_heads") ? heads : keys.size("num_key_value_heads"),
        keys.size("head_dim", 128),
        keys.size("intermediate_size"),
        keys.flag("tie_word_embeddings", false),
        ropeTheta(keys),
        keys.number("rms_norm_eps", 1e-6),
        keys.size("max_position_embeddings", 32_768),
        keys.ids("eos_token_id"),
        keys.id("bos_token_id"),
        keys.id("pad_token_id"));
  }

  private static double ropeTheta(ConfigKeys keys) throws IOException {
    Optional<ConfigKeys> newer = keys.object("rope_parameters");
    double older = keys.number("rope_theta", 10_000);
    return newer.isPresent() ? newer.get().number("rope_theta", older) : older;
  }

  public QwenShape shape() {
    return shape;
  }

  /** What the file says the weights are; the files themselves decide. */
  public Optional<Dtype> dtype() {
    String key = Json.isGiven(root, "dtype") ? "dtype" : "torch_dtype";
    return Dtype.ofTorchName(root.path(key).asText());
  }

  /** The same model, its weights stored in another type. */
  public QwenConfig withDtype(Dtype dtype) {
    ObjectNode copy = root.deepCopy();
    boolean newer = copy.has("dtype") || copy.has("rope_parameters");
    String key = newer ? "dtype" : "torch_dtype";
    copy.remove(newer ? "torch_dtype" : "dtype");
    copy.put(key, dtype.torchName());
    return new QwenConfig(copy, shape);
  }

  public void write(Path folder) throws IOException {
    Json.write(folder.resolve(FILE), root);
  }
}
