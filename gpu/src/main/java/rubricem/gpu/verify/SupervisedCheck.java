package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.train.StepReport;
import rubricem.gpu.train.Trainer;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.StoredTensor;
import rubricem.protocol.learning.SupervisedRow;

/** Loss and gradients of supervised rows, by the trainer that users train with. */
final class SupervisedCheck {
  private final Places places;
  private final String name;
  private final JsonNode document;
  private final List<SupervisedRow> rows;

  SupervisedCheck(Places places, String name, JsonNode document) {
    this.places = places;
    this.name = name;
    this.document = document;
    rows = rows(document);
  }

  private static List<SupervisedRow> rows(JsonNode document) {
    List<SupervisedRow> rows = new ArrayList<>();
    for (JsonNode row : Handed.filled(document, "rows")) {
      int[] mask = Handed.ids(row, "train_mask");
      boolean[] trained = new boolean[mask.length];
      for (int t = 0; t < mask.length; t++) {
        trained[t] = mask[t] != 0;
      }
      rows.add(new SupervisedRow("row-" + rows.size(), Handed.ids(row, "input_ids"), trained));
    }
    return rows;
  }

  void run(ModelFolder folder) throws IOException {
    places.absent(name, document, List.of("trained_tokens", "grad_norm", "grad_norms"));
    if (document.has("trained_tokens")) {
      long tokens = rows.stream().mapToLong(SupervisedRow::trainedTokens).sum();
      double differ = Math.abs(tokens - Handed.number(document, "trained_tokens"));
      places.checks().accept(Check.of(name, "trained_tokens", differ, 0));
    }
    for (Precision precision : List.of(Precision.FP32, Precision.FP64)) {
      Trials.run(
          places, name, Numerics.ofLosses(folder, precision),
          way -> {
            try (Qwen3 model = way.open(folder, places.device(), null)) {
              return compare(model);
            }
          });
    }
  }

  /** How far the loss is from the handed one, for telling which model is meant. */
  double distance(ModelFolder folder) throws IOException {
    try (Qwen3 model = Numerics.plain(Precision.FP32).open(folder, places.device(), null);
        Trainer trainer = TrainerSetup.still(places, model)) {
      return Math.abs(trainer.imitate(rows, 0).loss() - Handed.number(document, "loss"));
    }
  }

  private List<Check> compare(Qwen3 model) {
    AtomicReference<Map<String, StoredTensor>> gradients = new AtomicReference<>(Map.of());
    try (Trainer trainer = TrainerSetup.still(places, model)) {
      trainer.watchGradients(gradients::set);
      StepReport report = trainer.imitate(rows, 0);
      List<Check> out = new ArrayList<>();
      double loss = Math.abs(Handed.number(document, "loss") - report.loss());
      out.add(Check.of(name, "loss", loss, GradientComparison.LOSS));
      out.addAll(GradientComparison.norms(name, document, gradients.get(), report));
      return out;
    }
  }
}
