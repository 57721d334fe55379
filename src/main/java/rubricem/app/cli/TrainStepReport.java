package rubricem.app.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.loss.Moments;
import rubricem.gpu.loss.StepCounts;
import rubricem.gpu.text.QwenTokenizer;
import rubricem.gpu.train.StepReport;
import rubricem.gpu.verify.StepRerun;
import rubricem.gpu.verify.StoredBatch;
import rubricem.gpu.weights.ModelFolder;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.learning.TrainRollout;

/** What {@code train-step} says of a step, as an object and as text. */
final class TrainStepReport {
  private static final int TOKEN_COLUMNS = 18;
  private static final String[] STAGES = {"tool", "plan", "research", "review", "answer"};

  private final StepRerun.Result result;
  private final StoredBatch.Crediting crediting;
  private final boolean gradients;
  private final Optional<Integer> shown;
  private final Path model;

  TrainStepReport(
      StepRerun.Result result, StoredBatch.Crediting crediting, boolean gradients,
      Optional<String> shown, Path model) {
    this.result = result;
    this.crediting = crediting;
    this.gradients = gradients;
    this.model = model;
    this.shown = shown.map(this::index);
  }

  private int index(String id) {
    List<String> ids = result.rollouts().stream().map(TrainRollout::id).toList();
    return ids.indexOf(id);
  }

  /** Numbers of the step, in the order they are read. */
  private Map<String, Double> metrics() {
    StepReport report = result.report();
    Map<String, Double> out = new LinkedHashMap<>();
    out.put("loss", report.loss());
    out.put("policy_loss", report.sums().policyLoss());
    out.put("kl_loss", report.sums().klLoss());
    out.put("grad_norm", report.gradNorm());
    out.put("learning_rate", report.learningRate());
    moments(out, "ratio", report.sums().ratio());
    moments(out, "kl3", report.sums().kl3());
    moments(out, "entropy", report.sums().entropy());
    out.put("clip_share_low", report.sums().clipShareLow());
    out.put("clip_share_high", report.sums().clipShareHigh());
    return out;
  }

  private static void moments(Map<String, Double> out, String name, Moments moments) {
    if (moments.count() > 0) {
      out.put(name + "_mean", moments.mean());
      out.put(name + "_spread", moments.spread());
    }
  }

  private Map<String, Long> counts() {
    Map<String, Long> out = new LinkedHashMap<>();
    StepCounts counts = result.report().counts();
    if (counts != null) {
      out.put("rollouts", counts.rollouts());
      out.put("groups", counts.groups());
      out.put("flat_groups", counts.flatGroups());
      out.put("truncated_rollouts", counts.truncatedRollouts());
      out.put("sampled_tokens", counts.sampledTokens());
      out.put("trained_tokens", counts.trainedTokens());
      out.put("flat_tokens", counts.flatTokens());
      out.put("truncated_tokens", counts.truncatedTokens());
      out.put("stale_tokens", counts.staleTokens());
      out.put("non_finite_tokens", counts.nonFiniteTokens());
      out.put("rejected_tokens", counts.rejectedTokens());
    }
    out.put("non_finite_policy_tokens", result.report().sums().nonFiniteTokens());
    out.put("tokens_through_the_model", result.report().tokens());
    return out;
  }

  private Map<String, Long> stages() {
    Map<String, Long> out = new LinkedHashMap<>();
    for (String stage : STAGES) {
      out.put(stage, 0L);
    }
    for (TrainRollout rollout : result.rollouts()) {
      for (byte stage : rollout.stage()) {
        out.merge(STAGES[stage], 1L, Long::sum);
      }
    }
    return out;
  }

  ObjectNode json() throws IOException {
    ObjectNode node = DurableFormat.json().createObjectNode();
    StepReport.Skipped skipped = result.report().skipped();
    node.put("skipped", skipped == null ? null : skipped.name().toLowerCase(java.util.Locale.ROOT));
    node.put(
        "advantages",
        crediting == StoredBatch.Crediting.FROM_SCORES ? "from_stage_scores" : "as_given");
    metrics().forEach((key, value) -> number(node, key, value));
    counts().forEach(node::put);
    stages().forEach(node.putObject("tokens_by_stage")::put);
    if (gradients) {
      ObjectNode norms = node.putObject("grad_norms");
      result.gradientNorms().forEach((name, norm) -> number(norms, name, norm));
    }
    if (shown.isPresent()) {
      show(node.putObject("rollout"), shown.get());
    }
    return node;
  }

  private static void number(ObjectNode node, String key, double value) {
    if (Double.isFinite(value)) {
      node.put(key, value);
    } else {
      node.putNull(key);
    }
  }

  private void show(ObjectNode node, int index) throws IOException {
    TrainRollout rollout = result.rollouts().get(index);
    node.put("id", rollout.id()).put("group", rollout.group());
    node.put("policy_version", rollout.policyVersion()).put("truncated", rollout.truncated());
    Texts texts = texts();
    ArrayNode prompt = node.putArray("prompt");
    for (int id : rollout.promptIds()) {
      texts.token(prompt.addObject(), id);
    }
    ArrayNode response = node.putArray("response");
    for (int t = 0; t < rollout.length(); t++) {
      ObjectNode token = response.addObject();
      texts.token(token, rollout.responseIds()[t]);
      token.put("stage", rollout.stage()[t]);
      if (rollout.stage()[t] != 0) {
        double policy = result.policy().get(index).logProbs()[t];
        number(token, "logprob", policy);
        number(token, "sampler_logprob", rollout.samplerLogProbs()[t]);
        optional(token, "old_logprob", rollout.oldLogProbs(), t);
        optional(token, "reference_logprob", rollout.referenceLogProbs(), t);
        number(token, "ratio", ratio(rollout, policy, t));
        number(token, "advantage", rollout.advantageAt(t));
      }
    }
  }

  private static void optional(ObjectNode node, String key, double @Nullable [] values, int t) {
    if (values != null) {
      number(node, key, values[t]);
    }
  }

  private static double ratio(TrainRollout rollout, double policy, int t) {
    double[] old = rollout.oldLogProbs();
    return old == null ? 1 : Math.exp(policy - old[t]);
  }

  String text() throws IOException {
    StringBuilder out = new StringBuilder();
    StepReport.Skipped skipped = result.report().skipped();
    if (skipped != null) {
      out.append("Skipped: ").append(reason(skipped)).append("\n\n");
    }
    out.append("Advantages: ").append(credit(crediting)).append("\n\n");
    metrics().forEach((key, value) -> out.append(String.format("%-26s %.9g%n", key, value)));
    out.append('\n');
    counts().forEach((key, value) -> out.append(String.format("%-26s %d%n", key, value)));
    out.append('\n');
    stages().forEach(
        (key, value) -> out.append(String.format("%-26s %d%n", "tokens of " + key, value)));
    if (gradients) {
      out.append("\nNorms of the gradients, before clipping\n");
      result.gradientNorms()
          .forEach((name, norm) -> out.append(String.format("%-14.7g %s%n", norm, name)));
    }
    if (shown.isPresent()) {
      out.append('\n').append(table(shown.get()));
    }
    return out.toString();
  }

  private static String credit(StoredBatch.Crediting crediting) {
    return switch (crediting) {
      case AS_GIVEN -> "those of the batch.";
      case GIVEN_BESIDE_SCORES ->
          "those of the batch; its stage_scores, and rubricem.learner.credit, had no effect.";
      case FROM_SCORES -> "from its stage_scores, as rubricem.learner.credit says.";
    };
  }

  private static String reason(StepReport.Skipped skipped) {
    return switch (skipped) {
      case NOTHING_TO_TRAIN -> "no token of the batch is left to train. Nothing was stepped.";
      case NON_FINITE_LOSS ->
          "the model's log-probabilities are no numbers. Nothing was stepped.";
      case NON_FINITE_GRADIENT -> "the gradient is no number. Nothing was stepped.";
    };
  }

  private String table(int index) throws IOException {
    TrainRollout rollout = result.rollouts().get(index);
    Texts texts = texts();
    StringBuilder out = new StringBuilder();
    out.append("Rollout ").append(TerminalText.line(rollout.id(), 80)).append(" of group ");
    out.append(TerminalText.line(rollout.group(), 80)).append(", policy version ");
    out.append(rollout.policyVersion()).append(rollout.truncated() ? ", truncated\n" : "\n");
    out.append(
        String.format(
            "%-9s %7s %-18s %9s %9s %9s %9s %9s %9s%n", "stage", "id", "text", "policy",
            "sampler", "old", "reference", "ratio", "advantage"));
    for (int id : rollout.promptIds()) {
      out.append(head("prompt", id, texts)).append('\n');
    }
    for (int t = 0; t < rollout.length(); t++) {
      byte stage = rollout.stage()[t];
      out.append(head(STAGES[stage], rollout.responseIds()[t], texts));
      if (stage != 0) {
        double policy = result.policy().get(index).logProbs()[t];
        out.append(
            String.format(
                " %9.4f %9.4f %9s %9s %9.4f %9.4f", policy, rollout.samplerLogProbs()[t],
                cell(rollout.oldLogProbs(), t), cell(rollout.referenceLogProbs(), t),
                ratio(rollout, policy, t), rollout.advantageAt(t)));
      }
      out.append('\n');
    }
    return out.toString();
  }

  private static String head(String stage, int id, Texts texts) {
    String text = TerminalText.line(texts.of(id), TOKEN_COLUMNS);
    return String.format("%-9s %7d ", stage, id) + TerminalText.padded(text, TOKEN_COLUMNS);
  }

  private static String cell(double @Nullable [] values, int t) {
    return values == null ? "-" : String.format("%.4f", values[t]);
  }

  /** What tokens say; nothing where the folder has no tokenizer. */
  private record Texts(Map<Integer, String> known) {
    String of(int id) {
      return known.getOrDefault(id, "");
    }

    void token(ObjectNode node, int id) {
      node.put("id", id);
      if (known.containsKey(id)) {
        node.put("text", known.get(id));
      }
    }
  }

  private Texts texts() throws IOException {
    Optional<Path> file = ModelFolder.open(model).tokenizer();
    Map<Integer, String> known = new LinkedHashMap<>();
    if (file.isPresent() && shown.isPresent()) {
      TrainRollout rollout = result.rollouts().get(shown.get());
      try (QwenTokenizer tokenizer = QwenTokenizer.open(file.get())) {
        for (int[] ids : List.of(rollout.promptIds(), rollout.responseIds())) {
          for (int id : ids) {
            known.computeIfAbsent(id, one -> tokenizer.decode(new int[] {one}));
          }
        }
      }
    }
    return new Texts(known);
  }
}
