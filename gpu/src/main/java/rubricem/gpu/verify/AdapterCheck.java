package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import rubricem.gpu.model.LoraWeights;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.train.StepReport;
import rubricem.gpu.train.Trainer;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.StoredTensor;
import rubricem.protocol.learning.SupervisedRow;

/** A base model with an adapter: logits, and loss and gradients of the adapter alone. */
final class AdapterCheck {
  private final Places places;
  private final String stem;
  private final JsonNode document;

  AdapterCheck(Places places, String stem, JsonNode document) {
    this.places = places;
    this.stem = stem;
    this.document = document;
  }

  void run(ModelFolder base, LoraFolder adapter) throws IOException {
    LoraWeights lora = LoraWeights.of(adapter, base.shape());
    places.absent(stem, document, List.of("cases", "sft"));
    if (document.has("sft")) {
      places.absent(stem + "/sft", document.get("sft"), List.of("grad_norms"));
    }
    if (document.has("cases")) {
      ObjectNode cases = JsonNodeFactory.instance.objectNode();
      cases.set("cases", document.get("cases"));
      new ForwardCheck(places, stem, cases, base, lora).run();
    }
    if (document.has("sft")) {
      for (Precision precision : List.of(Precision.FP32, Precision.FP64)) {
        Trials.run(
            places, stem + "/sft", Numerics.ofLosses(base, precision),
            way -> {
              try (Qwen3 model = way.open(base, places.device(), lora)) {
                return supervised(model, document.get("sft"));
              }
            });
      }
    }
    for (String key : Handed.others(document, List.of("cases", "sft", "note", "computed_in"))) {
      places.notes().accept(stem + ": " + key + " is not known here and was not checked");
    }
  }

  private List<Check> supervised(Qwen3 model, JsonNode handed) {
    String name = stem + "/sft";
    Document all = Document.whole(Handed.ids(handed, "input_ids"));
    AtomicReference<Map<String, StoredTensor>> gradients = new AtomicReference<>(Map.of());
    try (Trainer trainer = TrainerSetup.still(places, model)) {
      trainer.watchGradients(gradients::set);
      StepReport report =
          trainer.imitate(List.of(new SupervisedRow("row", all.ids(), all.scored())), 0);
      double loss = Math.abs(Handed.number(handed, "loss") - report.loss());
      List<Check> out = new ArrayList<>();
      out.add(Check.of(name, "loss", loss, GradientComparison.LOSS));
      if (handed.has("grad_norms")) {
        // in memory PEFT puts the adapter's own name into each parameter's, in files it does not
        Check norms =
            GradientComparison.byName(
                name, handed.get("grad_norms"), gradients.get(),
                key -> key.replaceFirst("\\.(lora_[AB])\\.[^.]+\\.weight$", ".$1.weight"));
        out.add(norms);
      }
      return out;
    }
  }
}
