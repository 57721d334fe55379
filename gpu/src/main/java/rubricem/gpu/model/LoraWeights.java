package rubricem.gpu.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.LoraConfig;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.LoraPair;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.StoredTensor;

/**
 * An adapter as it goes to a device: which modules, and the two matrices of each.
 *
 * @param adapted the same modules in every layer
 * @param pairs by the name of the linear layer
 */
public record LoraWeights(Adapted adapted, LoraConfig config, Map<String, LoraPair> pairs) {
  /** An adapter of a folder. */
  public static LoraWeights of(LoraFolder folder, QwenShape shape) {
    Map<String, LoraPair> pairs =
        folder.pairs().stream().collect(Collectors.toMap(LoraPair::module, Function.identity()));
    List<Adapted.Module> modules =
        Stream.of(Adapted.Module.values())
            .filter(m -> pairs.keySet().stream().anyMatch(name -> name.endsWith(m.path())))
            .toList();
    if (pairs.size() != modules.size() * shape.layers()) {
      throw new IllegalArgumentException(
          "the adapter sits on " + pairs.size() + " linear layers, and not on the same ones in each"
              + " of the " + shape.layers() + " layers; such adapters are not supported");
    }
    return new LoraWeights(
        new Adapted(modules, folder.config().scale()), folder.config(), pairs);
  }

  /** A new one that changes nothing yet: A as PEFT draws it (Kaiming uniform), B zero. */
  public static LoraWeights fresh(QwenShape shape, LoraConfig config, long seed) {
    List<Adapted.Module> modules =
        Stream.of(Adapted.Module.values())
            .filter(m -> LoraFolder.modules(config, shape).stream().anyMatch(n -> n.endsWith(m.path())))
            .toList();
    Adapted adapted = new Adapted(modules, config.scale());
    RandomGenerator random = new SplittableRandom(seed);
    Map<String, List<StoredTensor>> arrays =
        AdapterLayout.of(shape, adapted, config.rank()).slots().stream()
            .collect(
                Collectors.groupingBy(
                    AdapterLayout.Slot::module,
                    Collectors.mapping(slot -> fresh(slot, random), Collectors.toList())));
    Map<String, LoraPair> pairs =
        arrays.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    e -> new LoraPair(e.getKey(), e.getValue().get(0), e.getValue().get(1))));
    return new LoraWeights(adapted, config, pairs);
  }

  private static StoredTensor fresh(AdapterLayout.Slot slot, RandomGenerator random) {
    float[] values = new float[slot.order().length * slot.columns()];
    if (!slot.up()) {
      double bound = 1 / Math.sqrt(slot.columns());
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) random.nextDouble(-bound, bound);
      }
    }
    return StoredTensor.of(slot.name(), Dtype.F32, slot.shape(), values);
  }

  StoredTensor tensor(AdapterLayout.Slot slot) {
    LoraPair pair = pairs.get(slot.module());
    return slot.up() ? pair.up() : pair.down();
  }

  /** The folder's form of changed arrays. */
  public LoraFolder folder(Map<String, StoredTensor> arrays) {
    List<LoraPair> changed = new ArrayList<>();
    for (String module : pairs.keySet().stream().sorted().toList()) {
      changed.add(
          new LoraPair(
              module,
              arrays.get(LoraFolder.downName(module)),
              arrays.get(LoraFolder.upName(module))));
    }
    return new LoraFolder(config, changed);
  }
}
