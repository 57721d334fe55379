package rubricem.gpu.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.Device;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import rubricem.gpu.loss.StepPlan;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.RandomQwen;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.model.Scores;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.QwenTensors;
import rubricem.gpu.weights.StoredTensor;
import rubricem.protocol.learning.Aggregation;
import rubricem.protocol.learning.KlPenalty;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.Objective;
import rubricem.protocol.learning.OldPolicy;
import rubricem.protocol.learning.SamplerCorrection;
import rubricem.protocol.learning.TrainRollout;

/** What must hold of a step however it is cut, packed and shared out. */
class TrainerLawsTest {
  private static final AdamWOptions ADAMW = new AdamWOptions(0.9, 0.95, 1e-8, 0.01, 1);
  private static final double RATE = 1e-3;

  private static Qwen3 model(boolean tied, Precision precision) throws Exception {
    QwenShape shape = RandomQwen.shape(tied);
    Map<String, StoredTensor> weights = RandomQwen.weights(shape, 1);
    return Qwen3.of(
        shape, weights::get, Device.cpu(), precision, RotaryFrequencies.FLOAT32, null);
  }

  private static Trainer trainer(Qwen3 model, Packing packing, int workers) {
    return new Trainer(
        model, ADAMW, new TrainSettings(packing, workers, 1, 1L << 30, 1L << 20), () -> 0);
  }

  /** Groups of four; stage 0 in the middle and at the end of each. */
  private static List<TrainRollout> rollouts(int count, int longest, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<TrainRollout> out = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = random.nextInt(6, longest);
      byte[] stage = new byte[length];
      for (int t = 0; t < length; t++) {
        stage[t] = (byte) (t % 5 == 3 || t == length - 1 ? 0 : 1 + 4 * t / length);
      }
      int[] prompt = random.ints(random.nextInt(1, 5), 0, 61).toArray();
      int[] response = random.ints(length, 0, 61).toArray();
      double[] advantages = random.doubles(4, -1.5, 1.5).toArray();
      out.add(
          new TrainRollout(
              "group-" + i / 4, "rollout-" + i, 0, prompt, response, stage,
              near(random, length), near(random, length), near(random, length), advantages,
              false));
    }
    return out;
  }

  private static double[] near(SplittableRandom random, int length) {
    return random.doubles(length, -5.5, -3).toArray();
  }

  static Stream<LearnerOptions> variants() {
    LearnerOptions recomputed =
        LearnerOptions.paper().with(new OldPolicy(OldPolicy.Source.RECOMPUTED, 1));
    return Stream.of(
        recomputed,
        recomputed.with(new Aggregation.SequenceMean())
            .with(new Objective.Gspo(0.1, 0.1, Objective.RatioUnit.STAGE)),
        recomputed.with(new Aggregation.ConstantDivisor(300)).with(new Objective.Cispo(1, 4)),
        recomputed.with(new Objective.Gspo(0.1, 0.2, Objective.RatioUnit.ROLLOUT))
            .with(new KlPenalty(0.1, KlPenalty.Estimator.K1, false, 10)),
        recomputed.with(new SamplerCorrection.TokenTruncated(2))
            .with(new KlPenalty(0.1, KlPenalty.Estimator.K3, true, 10)),
        recomputed.with(new SamplerCorrection.Masked(0.2, 5))
            .with(new KlPenalty(0.1, KlPenalty.Estimator.K2, false, 10)));
  }

  private record Outcome(
      StepReport report, Map<String, double[]> gradients, Map<String, StoredTensor> weights) {}

  private static Outcome step(
      Precision precision, boolean tied, Packing packing, int workers, LearnerOptions options,
      List<TrainRollout> rollouts)
      throws Exception {
    try (Qwen3 model = model(tied, precision);
        Trainer trainer = trainer(model, packing, workers)) {
      Map<String, double[]> gradients = new HashMap<>();
      trainer.watchGradients(
          named -> named.forEach((name, tensor) -> gradients.put(name, tensor.toDoubles())));
      StepReport report = trainer.reinforce(StepPlan.of(options, 0, rollouts), RATE);
      return new Outcome(report, gradients, model.export());
    }
  }

  private static void assertClose(Outcome expected, Outcome got, double tolerance) {
    assertEquals(expected.report().loss(), got.report().loss(), tolerance);
    assertEquals(expected.gradients().keySet(), got.gradients().keySet());
    expected.gradients().forEach(
        (name, values) -> {
          double squares = 0;
          double scale = 0;
          for (int i = 0; i < values.length; i++) {
            squares += Math.pow(values[i] - got.gradients().get(name)[i], 2);
            scale += values[i] * values[i];
          }
          double off = Math.sqrt(squares / scale);
          assertTrue(off <= tolerance, () -> name + " is " + off + " off");
        });
  }

  @ParameterizedTest
  @CsvSource({"FP64, 1e-10", "FP32, 1e-4"})
  void L40_gradients_do_not_depend_on_micro_batches_or_workers(
      Precision precision, double tolerance) throws Exception {
    List<TrainRollout> rollouts = rollouts(40, 12, 2);
    LearnerOptions options = variants().findFirst().orElseThrow();
    boolean tied = precision == Precision.FP64;
    Outcome whole =
        step(precision, tied, new Packing.Documents(40), 1, options, rollouts);
    assertNull(whole.report().skipped());
    // of 40 documents: 2, 5 and 8 micro-batches, and whatever fits into 50 tokens
    for (Packing packing :
        List.of(
            new Packing.Documents(20), new Packing.Documents(8), new Packing.Documents(5),
            new Packing.Tokens(50))) {
      for (int workers : new int[] {1, 2}) {
        assertClose(
            whole, step(precision, tied, packing, workers, options, rollouts), tolerance);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void L40_no_variant_depends_on_how_it_is_cut(LearnerOptions options) throws Exception {
    List<TrainRollout> rollouts = rollouts(8, 20, 3);
    Outcome whole =
        step(Precision.FP64, false, new Packing.Documents(8), 1, options, rollouts);
    assertNull(whole.report().skipped());
    assertClose(
        whole, step(Precision.FP64, false, new Packing.Tokens(40), 2, options, rollouts), 1e-10);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void L30_nothing_flows_through_tool_tokens_in_any_variant(LearnerOptions options)
      throws Exception {
    List<TrainRollout> rollouts = rollouts(4, 16, 4);
    List<TrainRollout> other = rollouts.stream().map(TrainerLawsTest::otherToolText).toList();
    Packing packing = new Packing.Documents(2);
    Outcome one = step(Precision.FP64, true, packing, 1, options, rollouts);
    Outcome two = step(Precision.FP64, true, packing, 1, options, other);
    assertNull(one.report().skipped());
    assertEquals(one.report().loss(), two.report().loss(), 0);
    one.gradients().forEach(
        (name, values) -> assertArrayEquals(values, two.gradients().get(name), 0, name));
    for (TrainRollout rollout : rollouts) {
      boolean[] scored = Trainer.document(rollout).scored();
      for (int t = 0; t < rollout.length(); t++) {
        assertEquals(rollout.stage()[t] != 0, scored[rollout.promptIds().length + t]);
      }
    }
  }

  /** No log-probabilities at tool tokens, and another text where nothing trained reads it. */
  private static TrainRollout otherToolText(TrainRollout r) {
    int[] ids = r.responseIds().clone();
    ids[ids.length - 1] = (ids[ids.length - 1] + 7) % 61;
    return new TrainRollout(
        r.group(), r.id(), r.policyVersion(), r.promptIds(), ids, r.stage(),
        blanked(r, r.samplerLogProbs()), blanked(r, r.oldLogProbs()),
        blanked(r, r.referenceLogProbs()), r.advantages(), r.truncated());
  }

  private static double[] blanked(TrainRollout r, double[] values) {
    double[] out = values.clone();
    for (int t = 0; t < out.length; t++) {
      out[t] = r.stage()[t] == 0 ? Double.NaN : out[t];
    }
    return out;
  }

  @Test
  void L45_a_sequence_has_the_same_log_probabilities_alone_and_among_any_neighbours()
      throws Exception {
    List<TrainRollout> rollouts = new ArrayList<>(rollouts(6, 30, 5));
    // beyond one block of attention, and beyond what blocks are used for
    rollouts.addAll(rollouts(1, 200, 6));
    rollouts.addAll(rollouts(1, 900, 9));
    List<TrainRollout> reversed = new ArrayList<>(rollouts);
    Collections.reverse(reversed);
    try (Qwen3 model = model(true, Precision.FP32)) {
      List<Scores> alone = score(model, new Packing.Documents(1), 1, rollouts);
      List<List<Scores>> others =
          List.of(
              score(model, new Packing.Tokens(4096), 1, rollouts),
              score(model, new Packing.Tokens(64), 2, rollouts),
              score(model, new Packing.Documents(3), 2, rollouts),
              score(model, new Packing.Tokens(4096), 1, reversed).reversed());
      for (List<Scores> other : others) {
        for (int i = 0; i < rollouts.size(); i++) {
          assertArrayEquals(alone.get(i).logProbs(), other.get(i).logProbs(), 1e-5);
          assertArrayEquals(alone.get(i).entropies(), other.get(i).entropies(), 1e-5);
        }
      }
    }
  }

  private static List<Scores> score(
      Qwen3 model, Packing packing, int workers, List<TrainRollout> rollouts) {
    try (Trainer trainer = trainer(model, packing, workers)) {
      return trainer.score(rollouts, 1, false);
    }
  }

  @Test
  void L39_a_gradient_that_is_no_number_changes_nothing_and_is_counted() throws Exception {
    List<TrainRollout> rollouts = rollouts(4, 12, 7);
    LearnerOptions options = variants().findFirst().orElseThrow();
    List<TrainRollout> wild =
        rollouts.stream()
            .map(
                r ->
                    new TrainRollout(
                        r.group(), r.id(), 0, r.promptIds(), r.responseIds(), r.stage(),
                        r.samplerLogProbs(), r.oldLogProbs(), r.referenceLogProbs(),
                        new double[] {1e300, -1e300, 1e300, -1e300}, false))
            .toList();
    Map<String, StoredTensor> expected =
        step(Precision.FP32, true, new Packing.Documents(2), 1, options, rollouts).weights();
    try (Qwen3 model = model(true, Precision.FP32);
        Trainer trainer = trainer(model, new Packing.Documents(2), 1)) {
      Map<String, StoredTensor> before = model.export();
      StepReport report = trainer.reinforce(StepPlan.of(options, 0, wild), RATE);
      assertEquals(StepReport.Skipped.NON_FINITE_GRADIENT, report.skipped());
      assertFalse(Double.isFinite(report.gradNorm()));
      assertEquals(before, model.export());
      // and the optimiser has not seen it either
      trainer.reinforce(StepPlan.of(options, 0, rollouts), RATE);
      assertEquals(expected, model.export());
    }
  }

  @Test
  void L39_a_loss_that_is_no_number_changes_nothing_and_is_counted() throws Exception {
    QwenShape shape = RandomQwen.shape(true);
    Map<String, StoredTensor> weights = new HashMap<>(RandomQwen.weights(shape, 1));
    double[] norm = weights.get(QwenTensors.LAST_NORM).toDoubles();
    norm[3] = Double.NaN;
    weights.put(
        QwenTensors.LAST_NORM,
        StoredTensor.of(QwenTensors.LAST_NORM, Dtype.F64, new long[] {norm.length}, norm));
    List<TrainRollout> rollouts = rollouts(4, 12, 7);
    try (Qwen3 model =
            Qwen3.of(
                shape, weights::get, Device.cpu(), Precision.FP32, RotaryFrequencies.FLOAT32,
                null);
        Trainer trainer = trainer(model, new Packing.Documents(2), 2)) {
      Map<String, StoredTensor> before = model.export();
      StepPlan plan = StepPlan.of(variants().findFirst().orElseThrow(), 0, rollouts);
      StepReport report = trainer.reinforce(plan, RATE);
      assertEquals(StepReport.Skipped.NON_FINITE_LOSS, report.skipped());
      assertEquals(plan.counts().trainedTokens(), report.sums().nonFiniteTokens());
      assertEquals(before, model.export());
    }
  }
}
