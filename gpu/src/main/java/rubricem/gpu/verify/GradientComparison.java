package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import rubricem.gpu.train.StepReport;
import rubricem.gpu.weights.SafeTensors;
import rubricem.gpu.weights.StoredTensor;
import rubricem.gpu.weights.TensorSpec;

/** Gradients and weights against handed ones: every name on both sides, or it is a failure. */
final class GradientComparison {
  static final double LOSS = 1e-6;
  static final double NORM = 1e-4;
  static final double ELEMENT = 1e-5;

  /** Where a gradient is almost zero, Adam's first step may round either way. */
  private static final double ELEMENT_OF_FEW = 1e-4;

  private static final long FEW_OF = 10_000;

  private GradientComparison() {}

  /** Norms by parameter, and of all together where the handed numbers have it. */
  static List<Check> norms(
      String name, JsonNode handed, Map<String, StoredTensor> gradients, StepReport report) {
    List<Check> out = new ArrayList<>();
    if (handed.has("grad_norm")) {
      out.add(
          Check.of(
              name, "grad_norm",
              Deviations.relative(Handed.number(handed, "grad_norm"), report.gradNorm()), NORM));
    }
    if (handed.has("grad_norms")) {
      out.add(byName(name, handed.get("grad_norms"), gradients, key -> key));
    }
    return out;
  }

  /** @param ours from a handed name to the name that ours has */
  static Check byName(
      String name, JsonNode handed, Map<String, StoredTensor> gradients,
      UnaryOperator<String> ours) {
    Map<String, Double> expected = new HashMap<>();
    handed.properties().forEach(e -> expected.put(ours.apply(e.getKey()), e.getValue().asDouble()));
    same(expected.keySet(), gradients.keySet());
    double worst = 0;
    String where = "";
    for (Map.Entry<String, Double> one : expected.entrySet()) {
      double deviation =
          Deviations.relative(one.getValue(), norm(gradients.get(one.getKey()).toDoubles()));
      if (!(deviation <= worst)) {
        worst = deviation;
        where = one.getKey();
      }
    }
    Check check = Check.of(name, "grad_norms", worst, NORM);
    return check.ok() ? check : check.with("worst", where);
  }

  static double norm(double[] values) {
    double squares = 0;
    for (double value : values) {
      squares += value * value;
    }
    return Math.sqrt(squares);
  }

  private static void same(Set<String> expected, Set<String> got) {
    Set<String> onlyHere = new TreeSet<>(got);
    onlyHere.removeAll(expected);
    Set<String> onlyThere = new TreeSet<>(expected);
    onlyThere.removeAll(got);
    if (!onlyHere.isEmpty() || !onlyThere.isEmpty()) {
      throw new HandedProblem(
          "parameters differ: only handed " + few(onlyThere) + ", only computed "
              + few(onlyHere));
    }
  }

  private static String few(Set<String> names) {
    List<String> shown = names.stream().limit(3).toList();
    return names.isEmpty() ? "none" : shown + (names.size() > 3 ? " and more" : "");
  }

  /** The largest difference of any element. */
  static Check elements(
      String name, String quantity, SafeTensors handed, Map<String, StoredTensor> ours)
      throws IOException {
    double[] all = ascending(handed, ours);
    return Check.of(name, quantity, all[all.length - 1], ELEMENT);
  }

  /** One in ten thousand elements may be further off than the others, but not far. */
  static List<Check> steppedWeights(
      String name, SafeTensors handed, Map<String, StoredTensor> ours) throws IOException {
    double[] all = ascending(handed, ours);
    int few = (int) (all.length / FEW_OF);
    return List.of(
        Check.of(name, "weights", all[all.length - 1 - few], ELEMENT),
        Check.of(name, "weights_of_1_in_10000", all[all.length - 1], ELEMENT_OF_FEW));
  }

  private static double[] ascending(SafeTensors handed, Map<String, StoredTensor> ours)
      throws IOException {
    Set<String> names = new TreeSet<>();
    handed.specs().forEach(spec -> names.add(spec.name()));
    same(names, ours.keySet());
    List<double[]> expected = new ArrayList<>();
    List<double[]> got = new ArrayList<>();
    for (String one : names) {
      StoredTensor tensor = handed.tensor(one);
      TensorSpec own = ours.get(one).spec();
      if (!java.util.Arrays.equals(own.shape(), tensor.shape())) {
        throw new HandedProblem(tensor.spec() + " is handed, and " + own + " computed");
      }
      expected.add(tensor.toDoubles());
      got.add(ours.get(one).toDoubles());
    }
    if (names.isEmpty()) {
      throw new HandedProblem("the file holds no tensors");
    }
    return Deviations.ascending(
        TrainerSetup.joined(expected), TrainerSetup.joined(got));
  }
}
