package rubricem.app.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import rubricem.gpu.checkpoint.CheckpointSettings;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.PrecisionChoice;
import rubricem.gpu.model.Adapted;
import rubricem.gpu.supervised.RowOrder;
import rubricem.gpu.supervised.RowSettings;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.train.Computing;
import rubricem.gpu.train.LearningRate;
import rubricem.gpu.weights.LoraConfig;
import rubricem.protocol.learning.Adapter;

/**
 * The sections of {@code rubricem.learner} that say where, how fast and how long it learns. What is
 * learned from what is {@link LearnerConfig}'s.
 *
 * @param adapterTargets names of linear layers, for a fresh adapter
 */
public record TrainingConfig(
    Computing computing,
    AdamWOptions optimiser,
    LearningRate rate,
    long checkpointEvery,
    CheckpointSettings checkpoints,
    List<String> adapterTargets,
    Supervised supervised) {
  private static final String SECTION = "rubricem.learner";
  private static final String AUTO = "auto";
  private static final int EPOCHS_MAX = 1_000_000;

  /** The section {@code supervised}. */
  public record Supervised(
      int epochs, int batch, LearningRate rate, RowSettings rows, long seed) {
    public Supervised {
      require(epochs >= 1 && epochs <= EPOCHS_MAX, "epochs", epochs, EPOCHS_MAX);
      require(batch >= 1 && batch <= RowOrder.PER_STEP_MAX, "batch", batch, RowOrder.PER_STEP_MAX);
    }
  }

  /** The adapter that a run over this base begins with; empty where it trains the weights. */
  public Optional<LoraConfig> adapter(Adapter adapter, Path base) {
    return adapter.on()
        ? Optional.of(
            LoraConfig.of(
                adapter.rank(), adapter.alpha(), adapterTargets,
                base.toAbsolutePath().normalize().toString()))
        : Optional.empty();
  }

  /** @throws ConfigException where a value is refused, with its section */
  public static TrainingConfig of(Config root) {
    Config c = root.getConfig(SECTION);
    long every = c.getLong("checkpoints.every");
    return new TrainingConfig(
        checked("device", () -> computing(c.getConfig("device"))),
        checked("optimiser", () -> optimiser(c.getConfig("optimiser"))),
        checked("schedule", () -> rate(c.getConfig("schedule"))),
        checked(
            "checkpoints",
            () -> {
              require(every >= 1, "every", every, Long.MAX_VALUE);
              return every;
            }),
        checked(
            "checkpoints",
            () ->
                new CheckpointSettings(
                    c.getInt("checkpoints.keep-last"), c.getInt("checkpoints.keep-every"))),
        checked("adapter", () -> targets(c.getStringList("adapter.targets"))),
        checked("supervised", () -> supervised(c.getConfig("supervised"))));
  }

  private static <T> T checked(String section, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new ConfigException.BadValue(
          SECTION + "." + section, String.valueOf(e.getMessage()), e);
    }
  }

  private static void require(boolean holds, String what, long value, long most) {
    if (!holds) {
      throw new IllegalArgumentException(what + " " + value + "; 1 to " + most);
    }
  }

  private static Computing computing(Config c) {
    return new Computing(
        DeviceName.parse(c.getString("name")),
        precision(c.getString("precision")),
        number(c, "workers"),
        number(c, "threads"),
        c.getString("memory").equals(AUTO)
            ? OptionalLong.empty()
            : OptionalLong.of(c.getBytes("memory")),
        c.getInt("packed-tokens"),
        c.getLong("scored-elements"));
  }

  /** By its name in any case. */
  public static PrecisionChoice precision(String name) {
    try {
      return PrecisionChoice.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "there is no precision \"" + name + "\": fp32, bf16 or auto", e);
    }
  }

  private static OptionalInt number(Config c, String key) {
    return c.getString(key).equals(AUTO) ? OptionalInt.empty() : OptionalInt.of(c.getInt(key));
  }

  private static AdamWOptions optimiser(Config c) {
    return new AdamWOptions(
        c.getDouble("beta1"), c.getDouble("beta2"), c.getDouble("epsilon"),
        c.getDouble("weight-decay"), c.getDouble("max-grad-norm"));
  }

  private static LearningRate rate(Config c) {
    return new LearningRate(
        c.getEnum(LearningRate.Course.class, "course"), c.getDouble("rate"),
        c.getDouble("warm-up"), c.getDouble("floor"));
  }

  private static List<String> targets(List<String> names) {
    List<String> known =
        Stream.of(Adapted.Module.values())
            .map(m -> m.name().toLowerCase(Locale.ROOT))
            .toList();
    if (names.isEmpty() || !known.containsAll(names)) {
      throw new IllegalArgumentException("targets " + names + "; some of " + known);
    }
    return List.copyOf(names);
  }

  private static Supervised supervised(Config c) {
    return new Supervised(
        c.getInt("epochs"), c.getInt("batch"), rate(c.getConfig("schedule")),
        new RowSettings(c.getInt("row-tokens"), c.getStringList("masked-spans")),
        c.getLong("seed"));
  }
}
