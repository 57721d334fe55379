package rubricem.gpu.weights;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An adapter in the layout of PEFT, read for a base model of a given shape. What is read is in
 * force: each layer its configuration names has both matrices of the right shapes, no matrix
 * belongs to another layer, and there is at least one. It holds the adapter alone, never the base.
 */
public record LoraFolder(LoraConfig config, List<LoraPair> pairs) {
  public static final String CONFIG = "adapter_config.json";
  public static final String WEIGHTS = "adapter_model.safetensors";

  private static final String PREFIX = "base_model.model.";
  private static final String DOWN = ".lora_A.weight";
  private static final String UP = ".lora_B.weight";

  public LoraFolder {
    pairs = List.copyOf(pairs);
  }

  /** PEFT's name of the first matrix, rank times inputs, of a layer. */
  public static String downName(String module) {
    return PREFIX + module + DOWN;
  }

  /** PEFT's name of the second matrix, outputs times rank, of a layer. */
  public static String upName(String module) {
    return PREFIX + module + UP;
  }

  /** The layers that an adapter of this configuration has on a model of this shape, in order. */
  public static List<String> modules(LoraConfig config, QwenShape shape) {
    return QwenTensors.linearModules(shape).stream().filter(config.targets()::matches).toList();
  }

  /**
   * Where the configuration of an adapter says its base lies, seen from the adapter's folder; also
   * before that base is known to fit, or to be there. Empty where it says nothing.
   */
  public static Optional<Path> base(Path folder) throws IOException {
    String name = LoraConfigFile.baseModel(folder.resolve(CONFIG));
    if (name.isBlank()) {
      return Optional.empty();
    }
    try {
      return Optional.of(folder.resolve(name).normalize());
    } catch (InvalidPathException e) {
      throw new UnusableFolderException(
          folder.resolve(CONFIG), LoraConfigFile.BASE + " is no path: " + e.getReason());
    }
  }

  public static LoraFolder read(Path folder, QwenShape base) throws IOException {
    UnusableFolderException.requireFolder(folder);
    if (!Files.isRegularFile(folder.resolve(CONFIG))) {
      throw new UnusableFolderException(folder, "no adapter: there is no " + CONFIG);
    }
    LoraConfig config = LoraConfigFile.read(folder.resolve(CONFIG));
    List<String> modules = modules(config, base);
    if (modules.isEmpty()) {
      throw new UnusableFolderException(
          folder,
          "target_modules matches no linear layer of the base model, so the adapter would change"
              + " nothing; the layers are named like " + QwenTensors.layer(0, "self_attn.q_proj"));
    }
    SafeTensors file = SafeTensors.open(folder.resolve(WEIGHTS));
    List<LoraPair> pairs = new ArrayList<>();
    for (String module : modules) {
      int[] extent =
          QwenTensors.linear(base, module.replaceFirst("^model\\.layers\\.\\d+\\.", ""));
      StoredTensor down = matrix(file, downName(module), config.rank(), extent[1]);
      StoredTensor up = matrix(file, upName(module), extent[0], config.rank());
      pairs.add(new LoraPair(module, down, up));
    }
    refuseOthers(file, modules);
    return new LoraFolder(config, pairs);
  }

  private static StoredTensor matrix(SafeTensors file, String name, long rows, long columns)
      throws IOException {
    TensorSpec spec = file.spec(name).orElse(null);
    if (spec == null) {
      String there = file.specs().isEmpty() ? "none" : file.specs().getFirst().name();
      throw new UnusableFolderException(
          file.file(),
          name + " is missing, though " + CONFIG + " and the base model ask for it; names there"
              + " are like " + there);
    }
    if (!spec.hasShape(new long[] {rows, columns}) || !spec.dtype().isReal()) {
      throw new UnusableFolderException(
          file.file(),
          spec + " does not fit the base model, which needs [" + rows + ", " + columns + "]");
    }
    return file.tensor(name);
  }

  private static void refuseOthers(SafeTensors file, Collection<String> modules)
      throws IOException {
    Set<String> known = new HashSet<>();
    for (String module : modules) {
      known.add(downName(module));
      known.add(upName(module));
    }
    for (TensorSpec spec : file.specs()) {
      if (!known.contains(spec.name())) {
        throw new UnusableFolderException(
            file.file(), spec.name() + " belongs to no layer that " + CONFIG + " names");
      }
    }
  }

  /** Weights last: a folder with weights is whole. */
  public void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    LoraConfigFile.write(folder.resolve(CONFIG), config);
    List<StoredTensor> tensors = new ArrayList<>();
    for (LoraPair pair : pairs) {
      tensors.add(pair.down().renamed(downName(pair.module())));
      tensors.add(pair.up().renamed(upName(pair.module())));
    }
    SafeTensors.write(folder.resolve(WEIGHTS), tensors);
  }
}
