package rubricem.gpu.loss;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rubricem.protocol.learning.Aggregation;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.Staleness;
import rubricem.protocol.learning.TrainRollout;

/**
 * All that is constant in one optimiser step, settled over the whole step before its first
 * micro-batch: which tokens are trained, their weights, and what each counts. However the rollouts
 * are then cut into micro-batches and packed, losses and derivatives add up to the same. A step
 * without a trained token is skipped: its loss is 0 and nothing should be stepped.
 */
public final class StepPlan {
  private final LearnerOptions options;
  private final List<RolloutPlan> rollouts;
  private final StepCounts counts;

  private StepPlan(LearnerOptions options, List<RolloutPlan> rollouts, StepCounts counts) {
    this.options = options;
    this.rollouts = rollouts;
    this.counts = counts;
  }

  /** For options that need no entropies before the step. */
  public static StepPlan of(
      LearnerOptions options, long policyVersion, List<TrainRollout> rollouts) {
    return of(options, policyVersion, rollouts, null);
  }

  /**
   * @param policyVersion of the policy that is trained
   * @param rollouts all of the step, with old and reference log-probabilities where
   *     {@link LearnerOptions#oldPass} and {@link LearnerOptions#needsReference} ask for them
   * @param entropies for each rollout and response token, where
   *     {@link LearnerOptions#needsEntropiesBefore} asks for them
   * @throws IllegalArgumentException where something that the options need is missing, or a rollout
   *     comes from a later policy
   */
  public static StepPlan of(
      LearnerOptions options,
      long policyVersion,
      List<TrainRollout> rollouts,
      double @Nullable [][] entropies) {
    Sieve sieve = new Sieve(options, policyVersion, flatGroups(rollouts));
    List<RolloutPlan> plans = new ArrayList<>();
    for (TrainRollout rollout : rollouts) {
      RolloutPlan plan = new RolloutPlan(rollout, old(options, rollout));
      sieve.pass(plan);
      plans.add(plan);
    }
    if (options.needsEntropiesBefore()) {
      EntropyShare.of(options.selection().entropyShare(), entropies).apply(plans);
    }
    scale(options.aggregation(), plans);
    return new StepPlan(options, List.copyOf(plans), sieve.counts());
  }

  private static double @Nullable [] old(LearnerOptions options, TrainRollout rollout) {
    double[] given = rollout.oldLogProbs();
    return switch (options.oldPass()) {
      case FROM_SAMPLER -> rollout.samplerLogProbs();
      case SAME_PASS -> given;
      case PASS_BEFORE -> {
        if (given == null) {
          throw new IllegalArgumentException(
              "rollout " + rollout.id() + " has no old log-probabilities, and the options need them"
                  + " before the step; make a pass over the batch first");
        }
        yield given;
      }
    };
  }

  /** A group is flat when none of its rollouts has an advantage in any stage. */
  private static Map<String, Boolean> flatGroups(List<TrainRollout> rollouts) {
    Map<String, Boolean> flat = new HashMap<>();
    for (TrainRollout rollout : rollouts) {
      boolean zero = true;
      for (double advantage : rollout.advantages()) {
        zero &= advantage == 0;
      }
      flat.merge(rollout.group(), zero, Boolean::logicalAnd);
    }
    return flat;
  }

  private static void scale(Aggregation aggregation, List<RolloutPlan> plans) {
    long tokens = 0;
    long trained = 0;
    for (RolloutPlan plan : plans) {
      int kept = plan.keptTokens();
      tokens += kept;
      trained += kept > 0 ? 1 : 0;
    }
    for (RolloutPlan plan : plans) {
      int kept = plan.keptTokens();
      plan.scale =
          kept == 0
              ? 0
              : switch (aggregation) {
                case Aggregation.TokenMean mean -> 1.0 / tokens;
                case Aggregation.SequenceMean mean -> 1.0 / ((double) kept * trained);
                case Aggregation.ConstantDivisor constant -> 1.0 / constant.divisor();
              };
    }
  }

  public LearnerOptions options() {
    return options;
  }

  public int size() {
    return rollouts.size();
  }

  public TrainRollout rollout(int index) {
    return rollouts.get(index).rollout;
  }

  /** Whether a rollout has anything to train; without, no pass over it is needed. */
  public boolean trains(int index) {
    return rollouts.get(index).scale > 0;
  }

  /** Whether nothing at all is left to train. */
  public boolean skipped() {
    return counts.trainedTokens() == 0;
  }

  public StepCounts counts() {
    return counts;
  }

  RolloutPlan plan(int index) {
    return rollouts.get(index);
  }

  /** The reasons a token is left out for, in their order, and the count of each. */
  private static final class Sieve {
    private static final int LAGS = 8;

    private final LearnerOptions options;
    private final long version;
    private final Map<String, Boolean> flatGroups;
    private final Rejections rejections;
    private final long[] lags = new long[LAGS];
    private long rollouts;
    private long sampled;
    private long trained;
    private long flat;
    private long truncated;
    private long stale;
    private long nonFinite;
    private long rejected;
    private long truncatedRollouts;

    Sieve(LearnerOptions options, long version, Map<String, Boolean> flatGroups) {
      this.options = options;
      this.version = version;
      this.flatGroups = flatGroups;
      this.rejections = new Rejections(options);
    }

    void pass(RolloutPlan plan) {
      TrainRollout rollout = plan.rollout;
      long lag = Staleness.lag(version, rollout.policyVersion());
      int tokens = plan.keptTokens();
      rollouts++;
      sampled += tokens;
      truncatedRollouts += rollout.truncated() ? 1 : 0;
      lags[(int) Math.min(lag, LAGS - 1)]++;
      boolean keepFlat = options.selection().keepFlatGroupsForKl() && options.kl().on();
      if (lag > options.staleness().max()) {
        stale += tokens;
        plan.leaveOut();
      } else if (flatGroups.get(rollout.group()) && !keepFlat) {
        flat += tokens;
        plan.leaveOut();
      } else if (rollout.truncated() && options.selection().maskTruncated()) {
        truncated += tokens;
        plan.leaveOut();
      } else {
        compare(plan, tokens);
      }
    }

    private void compare(RolloutPlan plan, int tokens) {
      dropNonFinite(plan);
      int finite = plan.keptTokens();
      nonFinite += tokens - finite;
      if (options.comparesWithSampler()) {
        rejections.apply(plan);
      }
      int kept = plan.keptTokens();
      rejected += finite - kept;
      trained += kept;
    }

    private void dropNonFinite(RolloutPlan plan) {
      double[] sampler = plan.rollout.samplerLogProbs();
      double[] reference = reference(plan.rollout);
      for (int t = 0; t < plan.kept.length; t++) {
        plan.kept[t] &=
            Double.isFinite(sampler[t])
                && (plan.old == null || Double.isFinite(plan.old[t]))
                && (reference == null || Double.isFinite(reference[t]));
      }
    }

    /** Null where nobody needs it: then it is not looked at. */
    private double @Nullable [] reference(TrainRollout rollout) {
      if (!options.needsReference()) {
        return null;
      }
      double[] reference = rollout.referenceLogProbs();
      if (reference == null) {
        throw new IllegalArgumentException(
            "rollout " + rollout.id() + " has no reference log-probabilities, and the KL penalty"
                + " needs them; make the reference's pass first, or set kl.coefficient = 0");
      }
      return reference;
    }

    StepCounts counts() {
      long groups = flatGroups.size();
      long flatCount = flatGroups.values().stream().filter(each -> each).count();
      return new StepCounts(
          rollouts, sampled, trained, flat, truncated, stale, nonFinite, rejected, groups,
          flatCount, truncatedRollouts, lags);
    }
  }
}
