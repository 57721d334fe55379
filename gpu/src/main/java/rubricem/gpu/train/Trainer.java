package rubricem.gpu.train;

import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.device.DeviceStoppedException;
import rubricem.gpu.loss.LossPart;
import rubricem.gpu.loss.LossSums;
import rubricem.gpu.loss.StepPlan;
import rubricem.gpu.loss.SupervisedLoss;
import rubricem.gpu.loss.SurrogateLoss;
import rubricem.gpu.model.ForwardPass;
import rubricem.gpu.model.ForwardPlan;
import rubricem.gpu.model.MicroBatch;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.Scores;
import rubricem.gpu.model.WeightShare;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.weights.StoredTensor;
import rubricem.protocol.learning.SupervisedRow;
import rubricem.protocol.learning.TrainRollout;

/**
 * Optimiser steps on one model. A step goes over all its documents in micro-batches, side by side
 * in workers, adds their gradients up in a fixed order, clips and steps. The loss is settled over
 * the whole step before the first micro-batch, so packing and workers change nothing but rounding.
 * A step whose loss or gradient is not finite leaves the weights as they are and says so. One
 * thread at a time.
 */
public final class Trainer implements AutoCloseable {
  /** The loss of a micro-batch from the log-probabilities of its documents. */
  private interface Loss {
    LossPart of(int[] documents, double[][] logProbs, double[][] entropies);
  }

  private record Part(double loss, LossSums sums, boolean finite) {
    static final Part NONE = new Part(0, LossSums.NONE, true);

    Part plus(LossPart other) {
      return new Part(loss + other.loss(), sums.merge(other.sums()), finite && other.finite());
    }

    Part plus(Part other) {
      return new Part(loss + other.loss, sums.merge(other.sums), finite && other.finite);
    }
  }

  private final Qwen3 model;
  private final AdamW optimizer;
  private final TrainSettings settings;
  private final Workers workers;
  private final LongSupplier nanos;
  private final NDManager manager;
  private final List<Arrays> gradients = new ArrayList<>();
  private @Nullable Consumer<Map<String, StoredTensor>> gradientWatcher;
  private BooleanSupplier stop = () -> false;
  private int filled;
  private double updateSeconds;

  /** @param nanos a clock for the record of throughput */
  public Trainer(
      Qwen3 model, AdamWOptions optimizer, TrainSettings settings, LongSupplier nanos) {
    this.model = model;
    this.optimizer = new AdamW(model, optimizer);
    this.settings = settings;
    this.nanos = nanos;
    workers = new Workers(settings.workers(), settings.threads());
    manager = model.manager().newSubManager();
  }

  public AdamW optimizer() {
    return optimizer;
  }

  /** How long the last step took to sum, clip and apply its gradients; the rest were passes. */
  public double updateSeconds() {
    return updateSeconds;
  }

  /** Shows the gradients of every later step by their names, before they are clipped. */
  public void watchGradients(Consumer<Map<String, StoredTensor>> watcher) {
    gradientWatcher = watcher;
  }

  /**
   * Asked before every micro-batch; where it says yes, a step or a scoring is given up by a {@link
   * DeviceStoppedException}, and weights and optimiser are as they were before it.
   */
  public void stopWhen(BooleanSupplier wanted) {
    stop = wanted;
  }

  private void check() {
    if (stop.getAsBoolean()) {
      throw new DeviceStoppedException();
    }
  }

  /** One step of imitation. */
  public StepReport imitate(List<SupervisedRow> rows, double learningRate) {
    SupervisedLoss loss = new SupervisedLoss(rows);
    List<Document> documents =
        rows.stream().map(r -> new Document(r.ids(), r.trainMask())).toList();
    return step(
        documents, loss.skipped(), 1, learningRate, null,
        (indices, logProbs, entropies) -> loss.of(indices, logProbs));
  }

  /** One step of SS-GRPO, or of whatever the plan's options say. */
  public StepReport reinforce(StepPlan plan, double learningRate) {
    SurrogateLoss loss = new SurrogateLoss(plan);
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < plan.size(); i++) {
      documents.add(document(plan.rollout(i)));
    }
    return step(
        documents, plan.skipped(), plan.options().sampling().temperature(), learningRate, plan,
        (indices, logProbs, entropies) ->
            loss.of(
                new rubricem.gpu.loss.MicroBatch(
                    indices, responses(plan, indices, logProbs),
                    responses(plan, indices, entropies))));
  }

  /** Prompt and response; every sampled token is scored. */
  static Document document(TrainRollout rollout) {
    int prompt = rollout.promptIds().length;
    int[] ids = new int[prompt + rollout.length()];
    System.arraycopy(rollout.promptIds(), 0, ids, 0, prompt);
    System.arraycopy(rollout.responseIds(), 0, ids, prompt, rollout.length());
    boolean[] scored = new boolean[ids.length];
    for (int t = 0; t < rollout.length(); t++) {
      scored[prompt + t] = rollout.stage()[t] != 0;
    }
    return new Document(ids, scored);
  }

  private static double[][] responses(StepPlan plan, int[] indices, double[][] values) {
    double[][] out = new double[indices.length][];
    for (int i = 0; i < indices.length; i++) {
      int prompt = plan.rollout(indices[i]).promptIds().length;
      out[i] = java.util.Arrays.copyOfRange(values[i], prompt, values[i].length);
    }
    return out;
  }

  private StepReport step(
      List<Document> documents, boolean nothing, double temperature, double learningRate,
      @Nullable StepPlan plan, Loss loss) {
    if (nothing) {
      return new StepReport(
          0, LossSums.NONE, plan == null ? null : plan.counts(), 0, learningRate, 0, 0,
          StepReport.Skipped.NOTHING_TO_TRAIN);
    }
    long start = nanos.getAsLong();
    int[] wanted = wanted(documents, plan);
    Part whole = overAll(documents, wanted, temperature, plan != null, loss);
    long tokens = 0;
    for (int document : wanted) {
      tokens += documents.get(document).ids().length;
    }
    double norm = Double.NaN;
    StepReport.Skipped skipped = null;
    if (!whole.finite()) {
      skipped = StepReport.Skipped.NON_FINITE_LOSS;
    } else {
      long before = nanos.getAsLong();
      norm = update(learningRate);
      updateSeconds = (nanos.getAsLong() - before) / 1e9;
      skipped = Double.isFinite(norm) ? null : StepReport.Skipped.NON_FINITE_GRADIENT;
    }
    return new StepReport(
        whole.loss(), whole.sums(), plan == null ? null : plan.counts(), norm, learningRate,
        tokens, (nanos.getAsLong() - start) / 1e9, skipped);
  }

  /** Documents with something to score; those of a plan only where it trains them. */
  private static int[] wanted(List<Document> documents, @Nullable StepPlan plan) {
    return java.util.stream.IntStream.range(0, documents.size())
        .filter(i -> anyScored(documents.get(i)) && (plan == null || plan.trains(i)))
        .toArray();
  }

  private static boolean anyScored(Document document) {
    for (boolean scored : document.scored()) {
      if (scored) {
        return true;
      }
    }
    return false;
  }

  private Part overAll(
      List<Document> documents, int[] wanted, double temperature, boolean entropy, Loss loss) {
    Dealt dealt = deal(documents, wanted, temperature, entropy);
    filled = (int) dealt.shares().stream().takeWhile(share -> !share.isEmpty()).count();
    while (gradients.size() < filled) {
      gradients.add(model.gradients(manager));
    }
    List<Part> parts =
        workers.run(
            worker -> {
              Part sum = Part.NONE;
              boolean first = true;
              for (int pack : dealt.shares().get(worker)) {
                check();
                sum =
                    sum.plus(
                        pass(
                            documents, dealt.packs().get(pack), dealt.plan(), loss,
                            gradients.get(worker), first));
                first = false;
              }
              return sum;
            });
    return parts.stream().reduce(Part.NONE, Part::plus);
  }

  /**
   * Micro-batches and who computes them.
   *
   * @param packs the documents of each, by their index
   * @param plan for all of them
   * @param shares the packs of each worker
   */
  private record Dealt(List<int[]> packs, ForwardPlan plan, List<List<Integer>> shares) {}

  private Dealt deal(
      List<Document> documents, int[] wanted, double temperature, boolean entropy) {
    List<int[]> packs =
        settings
            .packs(java.util.Arrays.stream(wanted).mapToObj(i -> documents.get(i).ids()).toList())
            .stream()
            .map(pack -> java.util.Arrays.stream(pack).map(i -> wanted[i]).toArray())
            .toList();
    int[] tokens =
        packs.stream()
            .mapToInt(
                pack ->
                    java.util.Arrays.stream(pack).map(i -> documents.get(i).ids().length).sum())
            .toArray();
    int most = java.util.Arrays.stream(tokens).max().orElse(1);
    ForwardPlan plan =
        MemoryPlan.of(
            model.shape(), most, settings.memoryBytes() / settings.workers(),
            model.type().getNumOfBytes(), settings.scoredElements(), temperature, entropy);
    return new Dealt(packs, plan, Packing.share(tokens, settings.workers()));
  }

  private LossPart pass(
      List<Document> documents, int[] indices, ForwardPlan plan, Loss loss, Arrays into,
      boolean first) {
    List<Document> chosen =
        java.util.Arrays.stream(indices).mapToObj(documents::get).toList();
    try (NDManager scope = manager.newSubManager()) {
      ForwardPass pass = model.forward(scope, MicroBatch.of(chosen), plan);
      LossPart part =
          loss.of(
              indices, ScoredTokens.spread(chosen, pass.scores().logProbs()),
              ScoredTokens.spread(chosen, pass.scores().entropies()));
      if (part.finite()) {
        model.backward(pass, ScoredTokens.gather(chosen, part.slopes()), into, first);
      }
      return part;
    }
  }

  private double update(double learningRate) {
    List<WeightShare> shares = model.shares(settings.workers());
    try (NDManager scope = manager.newSubManager()) {
      onShares(shares, share -> sum(scope, shares.get(share)));
      if (gradientWatcher != null) {
        gradientWatcher.accept(model.named(gradients.get(0)));
      }
      Arrays[] collected = new Arrays[shares.size()];
      double[] norms = new double[model.trained().size()];
      onShares(
          shares,
          share -> {
            collected[share] = model.collect(scope, shares.get(share), gradients.get(0));
            double[] own = optimizer.norms(scope, collected[share]);
            for (int i = 0; i < own.length; i++) {
              norms[shares.get(share).trained()[i]] = own[i];
            }
          });
      // in one order, however the arrays are shared
      double norm = Math.sqrt(java.util.Arrays.stream(norms).map(n -> n * n).sum());
      if (Double.isFinite(norm)) {
        onShares(
            shares,
            share -> {
              WeightShare own = shares.get(share);
              optimizer.step(scope, own, collected[share], norm, learningRate);
              model.refresh(own);
            });
      }
      return norm;
    }
  }

  private void onShares(List<WeightShare> shares, IntConsumer work) {
    workers.run(
        worker -> {
          if (worker < shares.size()) {
            work.accept(worker);
          }
          return worker;
        });
  }

  private void sum(NDManager scope, WeightShare share) {
    for (int worker = 1; worker < filled; worker++) {
      // another name, for it is another argument of the call
      Arrays more = gradients.get(worker).pick(share.effective()).renamed("d2");
      model.weightsProgram().call(
          scope, "add", gradients.get(0).pick(share.effective()), more);
    }
  }

  /** Log-probabilities of every response token of rollouts, 0 at tokens that were not sampled. */
  public List<Scores> score(List<TrainRollout> rollouts, double temperature, boolean base) {
    return score(rollouts, temperature, base, true);
  }

  /** The same without entropies, which nobody wants of a reference. */
  public List<double[]> logProbs(List<TrainRollout> rollouts, double temperature, boolean base) {
    return score(rollouts, temperature, base, false).stream().map(Scores::logProbs).toList();
  }

  private List<Scores> score(
      List<TrainRollout> rollouts, double temperature, boolean base, boolean entropy) {
    List<Document> documents = rollouts.stream().map(Trainer::document).toList();
    int[] wanted = wanted(documents, null);
    Dealt dealt = deal(documents, wanted, temperature, entropy);
    Scores[] out = new Scores[rollouts.size()];
    workers.run(
        worker -> {
          for (int pack : dealt.shares().get(worker)) {
            check();
            int[] indices = dealt.packs().get(pack);
            List<Document> chosen =
                java.util.Arrays.stream(indices).mapToObj(documents::get).toList();
            MicroBatch batch = MicroBatch.of(chosen);
            Scores scores =
                base
                    ? model.baseLogprobs(batch, dealt.plan())
                    : model.logprobs(batch, dealt.plan());
            double[][] logProbs = ScoredTokens.spread(chosen, scores.logProbs());
            double[][] entropies = ScoredTokens.spread(chosen, scores.entropies());
            for (int i = 0; i < indices.length; i++) {
              int prompt = rollouts.get(indices[i]).promptIds().length;
              out[indices[i]] =
                  new Scores(
                      java.util.Arrays.copyOfRange(logProbs[i], prompt, logProbs[i].length),
                      java.util.Arrays.copyOfRange(entropies[i], prompt, entropies[i].length));
            }
          }
          return worker;
        });
    List<Scores> all = new ArrayList<>();
    for (int i = 0; i < out.length; i++) {
      int length = rollouts.get(i).length();
      all.add(out[i] == null ? new Scores(new double[length], new double[length]) : out[i]);
    }
    return all;
  }

  @Override
  public void close() {
    workers.close();
    optimizer.close();
    manager.close();
  }
}
