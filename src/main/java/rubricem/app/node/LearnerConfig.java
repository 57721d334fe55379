package rubricem.app.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import java.util.List;
import java.util.function.Supplier;
import rubricem.actors.credit.StageWeights;
import rubricem.protocol.learning.Adapter;
import rubricem.protocol.learning.Aggregation;
import rubricem.protocol.learning.Credit;
import rubricem.protocol.learning.FixedChoice;
import rubricem.protocol.learning.KlPenalty;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.Objective;
import rubricem.protocol.learning.OffPolicyMasking;
import rubricem.protocol.learning.OldPolicy;
import rubricem.protocol.learning.Sampling;
import rubricem.protocol.learning.SamplerCorrection;
import rubricem.protocol.learning.SequenceRejection;
import rubricem.protocol.learning.Staleness;
import rubricem.protocol.learning.TokenSelection;

/**
 * The section {@code rubricem.learner} of the configuration, read once and checked as a whole.
 * Numbers of parts that are not chosen are checked too: what is wrong is wrong before it is needed.
 */
public final class LearnerConfig {
  private static final String SECTION = "rubricem.learner";

  private LearnerConfig() {}

  /** @throws ConfigException where a value or a combination of values is refused */
  public static LearnerOptions options(Config root) {
    Config c = root.getConfig(SECTION);
    refuseOthers(c.getConfig("fixed"));
    return checked(
        () ->
            new LearnerOptions(
                aggregation(c.getConfig("loss")),
                objective(c.getConfig("objective")),
                kl(c.getConfig("kl")),
                correction(c.getConfig("sampler-correction")),
                rejection(c.getConfig("sequence-rejection")),
                offPolicy(c.getConfig("off-policy-masking")),
                new OldPolicy(
                    c.getEnum(OldPolicy.Source.class, "old-policy.source"),
                    c.getInt("old-policy.updates-per-batch")),
                credit(c.getConfig("credit")),
                selection(c.getConfig("selection")),
                sampling(c.getConfig("sampling")),
                new Staleness(c.getInt("staleness.max")),
                new Adapter(c.getInt("adapter.rank"), c.getDouble("adapter.alpha"))));
  }

  private static LearnerOptions checked(Supplier<LearnerOptions> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new ConfigException.BadValue(SECTION, String.valueOf(e.getMessage()), e);
    }
  }

  private static void refuseOthers(Config c) {
    for (FixedChoice choice : FixedChoice.values()) {
      FixedChoice.refusal(choice.key(), c.getString(choice.key()))
          .ifPresent(
              reason -> {
                throw new ConfigException.BadValue(SECTION + ".fixed." + choice.key(), reason);
              });
    }
  }

  private enum Aggregating {
    TOKEN_MEAN,
    SEQUENCE_MEAN,
    CONSTANT_DIVISOR
  }

  private static Aggregation aggregation(Config c) {
    Aggregation.ConstantDivisor constant =
        new Aggregation.ConstantDivisor(c.getDouble("divisor"));
    return switch (c.getEnum(Aggregating.class, "aggregation")) {
      case TOKEN_MEAN -> new Aggregation.TokenMean();
      case SEQUENCE_MEAN -> new Aggregation.SequenceMean();
      case CONSTANT_DIVISOR -> constant;
    };
  }

  private enum Bounding {
    CLIPPED,
    GSPO,
    CISPO
  }

  private static Objective objective(Config c) {
    Objective clipped =
        new Objective.Clipped(c.getDouble("clipped.low"), c.getDouble("clipped.high"));
    Objective gspo =
        new Objective.Gspo(
            c.getDouble("gspo.low"), c.getDouble("gspo.high"),
            c.getEnum(Objective.RatioUnit.class, "gspo.unit"));
    Objective cispo = new Objective.Cispo(c.getDouble("cispo.low"), c.getDouble("cispo.high"));
    return switch (c.getEnum(Bounding.class, "kind")) {
      case CLIPPED -> clipped;
      case GSPO -> gspo;
      case CISPO -> cispo;
    };
  }

  private static KlPenalty kl(Config c) {
    return new KlPenalty(
        c.getDouble("coefficient"), c.getEnum(KlPenalty.Estimator.class, "estimator"),
        c.getBoolean("unbiased"), c.getDouble("log-ratio-max"));
  }

  private enum Correcting {
    NONE,
    TOKEN_TRUNCATED,
    SEQUENCE_TRUNCATED,
    MASKED,
    PROBABILITY_DIFFERENCE
  }

  private static SamplerCorrection correction(Config c) {
    SamplerCorrection token = new SamplerCorrection.TokenTruncated(c.getDouble("token-cap"));
    SamplerCorrection sequence =
        new SamplerCorrection.SequenceTruncated(c.getDouble("sequence-cap"));
    SamplerCorrection difference =
        new SamplerCorrection.ProbabilityDifference(c.getDouble("probability-difference"));
    return switch (c.getEnum(Correcting.class, "kind")) {
      case NONE -> new SamplerCorrection.None();
      case TOKEN_TRUNCATED -> token;
      case SEQUENCE_TRUNCATED -> sequence;
      case MASKED ->
          new SamplerCorrection.Masked(c.getDouble("masked.low"), c.getDouble("masked.high"));
      case PROBABILITY_DIFFERENCE -> difference;
    };
  }

  private static SequenceRejection rejection(Config c) {
    return new SequenceRejection(
        c.getEnum(SequenceRejection.Statistic.class, "statistic"), c.getDouble("low"),
        c.getDouble("high"), c.getDouble("veto"));
  }

  private enum Drifting {
    NONE,
    ABOVE
  }

  private static OffPolicyMasking offPolicy(Config c) {
    OffPolicyMasking above = new OffPolicyMasking.Above(c.getDouble("mean-log-ratio"));
    return switch (c.getEnum(Drifting.class, "kind")) {
      case NONE -> new OffPolicyMasking.None();
      case ABOVE -> above;
    };
  }

  private static Credit credit(Config c) {
    List<List<Double>> weights =
        c.getList("weights").stream().map(LearnerConfig::row).toList();
    StageWeights.causal(weights);
    return new Credit(
        c.getEnum(Credit.Mode.class, "mode"), weights, c.getEnum(Credit.Scale.class, "scale"),
        c.getDouble("epsilon"), c.getDouble("floor"), c.getBoolean("leave-one-out"),
        c.getEnum(Credit.Unit.class, "unit"), c.getInt("survivors-min"));
  }

  private static List<Double> row(ConfigValue value) {
    return value.atKey("row").getDoubleList("row");
  }

  private static TokenSelection selection(Config c) {
    return new TokenSelection(
        c.getBoolean("keep-flat-groups-for-kl"), c.getBoolean("mask-truncated"),
        c.getDouble("entropy-share"));
  }

  private static Sampling sampling(Config c) {
    return new Sampling(c.getDouble("temperature"), c.getDouble("top-p"), c.getInt("top-k"));
  }
}
