package rubricem.gpu.verify;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.DeviceStoppedException;
import rubricem.gpu.verify.HandedFolder.Document;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenConfig;
import rubricem.gpu.weights.SafeTensors;

/**
 * Recomputes a folder of reference numbers. Every file of it is either compared or named as not
 * checked, and a comparison that cannot be made is one that failed: silence means nothing here.
 * One file's trouble leaves the others alone.
 */
public final class Verification {
  private static final String GRADIENTS = ".gradients";
  private static final String STEPPED = "after_adamw";

  /** A message of libtorch has pages; its first lines say what it is. */
  private static final int PROBLEM_CHARS = 300;

  private final HandedFolder folder;
  private final Places places;
  private final CreditRule credit;
  private final TreeMap<String, Path> unclaimed;
  private final AtomicInteger made;

  /** @param made how many comparisons there were, counted by {@code places} */
  private Verification(
      HandedFolder folder, Places places, CreditRule credit, AtomicInteger made) {
    this.folder = folder;
    this.made = made;
    this.places = places;
    this.credit = credit;
    unclaimed = new TreeMap<>(folder.tensors());
  }

  private interface Work {
    void run() throws IOException;
  }

  /**
   * Compares everything.
   *
   * @param scratch an empty folder that the caller removes
   * @param checks each comparison as it is made
   * @param notes what is worth saying and is no comparison
   * @param stop whether somebody wants an end
   * @throws rubricem.gpu.weights.UnusableFolderException where nothing there can be checked
   * @throws rubricem.gpu.device.DeviceAbsentException where the device is not there
   */
  public static void run(
      Path root, DeviceName device, CreditRule credit, Path scratch, LongSupplier nanos,
      Consumer<Check> checks, Consumer<String> notes, BooleanSupplier stop)
      throws IOException {
    // DJL would otherwise report its use to its makers and look for newer native libraries
    System.setProperty("ai.djl.offline", "true");
    System.setProperty("OPT_OUT_TRACKING", "true");
    HandedFolder folder = HandedFolder.open(root);
    Device present = device.present();
    AtomicInteger made = new AtomicInteger();
    Consumer<Check> counted =
        check -> {
          made.incrementAndGet();
          checks.accept(check);
        };
    new Verification(
            folder, new Places(present, scratch, nanos, counted, notes, stop), credit, made)
        .all();
  }

  private void all() {
    folder.models().forEach(
        (name, path) ->
            guarded(
                name, "round_trip_tensors",
                () -> new RoundTripCheck(places).model(name, ModelFolder.open(path))));
    folder.adapters().forEach(
        (name, path) ->
            guarded(
                name, "round_trip_tensors",
                () -> new RoundTripCheck(places).adapter(name, path, base(name, path).shape())));
    for (Document document : folder.documents()) {
      String kind = document.kind().name().toLowerCase(Locale.ROOT);
      int before = made.get();
      guarded(document.stem(), kind, () -> check(document));
      if (made.get() == before) {
        places.checks().accept(
            Check.failed(document.stem(), kind, "nothing in it can be compared"));
      }
    }
    new Counterparts(folder, places).check();
    unclaimed.forEach(
        (stem, path) ->
            places.checks().accept(
                Check.failed(
                    stem, "tensors", "the JSON file that says what these are is missing")));
    for (String name : folder.unknown()) {
      places.notes().accept(name + ": not known here and not checked");
    }
  }

  private void guarded(String name, String quantity, Work work) {
    places.check();
    try {
      work.run();
    } catch (DeviceStoppedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      places.checks().accept(failed(name, quantity, e));
    }
  }

  static Check failed(String name, String quantity, Exception e) {
    String message = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
    String problem =
        e instanceof HandedProblem ? message : e.getClass().getSimpleName() + ": " + message;
    return Check.failed(
        name, quantity,
        problem.length() > PROBLEM_CHARS ? problem.substring(0, PROBLEM_CHARS) + "…" : problem);
  }

  private void check(Document document) throws IOException {
    String stem = document.stem();
    switch (document.kind()) {
      case FORWARD -> {
        ModelFolder model = folder.model(Counterparts.forwardModel(stem));
        new ForwardCheck(places, stem, document.root(), model, null).run();
      }
      case SUPERVISED -> {
        SupervisedCheck check = new SupervisedCheck(places, stem, document.root());
        check.run(ModelFolder.open(policy(stem, check::distance)));
      }
      case SURROGATE -> surrogate(document);
      case ADAPTER -> {
        Path path = folder.named(folder.adapters(), stem, "adapter folder");
        ModelFolder base = base(path.getFileName().toString(), path);
        LoraFolder adapter = LoraFolder.read(path, base.shape());
        new AdapterCheck(places, stem, document.root()).run(base, adapter);
      }
      case KL -> new KlCheck(places, stem, document.root()).run();
      case TOKENIZER -> {
        Path path = folder.named(folder.tokenizers(), stem, "folder with a tokenizer.json");
        new TextCheck(places, stem, document.root()).tokenizer(path.resolve(ModelFolder.TOKENIZER));
      }
      case TEMPLATE -> new TextCheck(places, stem, document.root()).template();
      case SEARCH -> {
        Path vectors = unclaimed.remove(stem);
        if (vectors == null) {
          throw new HandedProblem("the file " + stem + ".safetensors is missing");
        }
        new SearchCheck(places, stem, document.root()).run(SafeTensors.open(vectors));
      }
    }
  }

  private ModelFolder base(String name, Path adapter) throws IOException {
    // the base's name is in the configuration, whatever model the matrices fit
    Optional<Path> named = LoraFolder.base(adapter);
    if (named.isPresent() && Files.exists(named.get().resolve(QwenConfig.FILE))) {
      return ModelFolder.open(named.get());
    }
    String prefix =
        folder.policies().stream().filter(name::startsWith).reduce((a, b) -> b).orElse("");
    if (prefix.isEmpty()) {
      throw new HandedProblem(
          "the base model of the adapter" + named.map(path -> ", " + path + ",").orElse("")
              + " is missing");
    }
    return folder.model(prefix);
  }

  private void surrogate(Document document) throws IOException {
    String stem = document.stem();
    SurrogateCheck check = new SurrogateCheck(places, stem, document.root());
    Map<String, Path> gradients = new HashMap<>();
    Map<String, Path> stepped = new LinkedHashMap<>();
    claim(stem, gradients, stepped);
    check.noteOthers();
    guarded(stem, "credit", () -> check.credit(credit));
    Numerics plain = Numerics.plain(rubricem.gpu.model.Precision.FP32);
    ModelFolder policy =
        ModelFolder.open(policy(stem, m -> check.distance("policy_logprobs", m, plain)));
    guarded(stem, "policy_logprobs", () -> check.logProbs("policy_logprobs", policy));
    guarded(
        stem, "reference_logprobs",
        () -> check.logProbs("reference_logprobs", ModelFolder.open(reference(policy))));
    check.variants(policy, gradients);
    List<String> variants = check.variants();
    refuseMissing(document, variants, gradients, stepped);
    gradients.keySet().stream()
        .filter(v -> !variants.contains(v))
        .forEach(
            v ->
                places.checks().accept(
                    Check.failed(stem + "/" + v, "gradients", "there is no variant " + v)));
    stepped.forEach(
        (variant, path) ->
            guarded(
                stem + "/" + STEPPED, "weights",
                () -> check.stepped(policy, steppedVariant(variant, gradients, variants), path)));
  }

  /** Tensors that a document of rollouts speaks of, or usually has, and that are not there. */
  private void refuseMissing(
      Document document, List<String> variants, Map<String, Path> gradients,
      Map<String, Path> stepped) {
    String stem = document.stem();
    if (stepped.isEmpty() && document.root().has(HandedOptimiser.KEY)) {
      places.checks().accept(
          Check.failed(
              stem + "/" + STEPPED, "weights",
              HandedOptimiser.KEY + " says that a step was made, and " + stem + "." + STEPPED
                  + ".safetensors is missing"));
    }
    boolean handedWithout = document.root().path(SurrogateCheck.GRADIENTS).isNull();
    if (gradients.isEmpty() && !variants.isEmpty() && !handedWithout) {
      String variant = steppedVariant("", gradients, variants);
      places.checks().accept(
          Check.failed(
              stem + "/" + variant, "gradients",
              stem + "." + variant + GRADIENTS + ".safetensors is missing, so single elements"
                  + " cannot be compared; a document that is handed without it says \""
                  + SurrogateCheck.GRADIENTS + "\": null"));
    }
  }

  /** Files of tensors that belong to a document of rollouts: {@code STEM.VARIANT.gradients}. */
  private void claim(String stem, Map<String, Path> gradients, Map<String, Path> stepped) {
    for (String name : new ArrayList<>(unclaimed.keySet())) {
      if (name.startsWith(stem + ".") && name.endsWith(GRADIENTS)) {
        int to = Math.max(stem.length() + 1, name.length() - GRADIENTS.length());
        String variant = name.substring(stem.length() + 1, to);
        gradients.put(variant, unclaimed.remove(name));
      } else if (name.startsWith(stem + ".") && name.endsWith(STEPPED)) {
        String variant = name.substring(stem.length() + 1, name.length() - STEPPED.length());
        stepped.put(variant.replaceFirst("\\.$", ""), unclaimed.remove(name));
      }
    }
  }

  /** Where the file's name has no variant, it is that of the gradients; else the first. */
  private static String steppedVariant(
      String named, Map<String, Path> gradients, List<String> variants) {
    if (!named.isEmpty()) {
      return named;
    }
    if (gradients.size() == 1) {
      return gradients.keySet().iterator().next();
    }
    if (variants.isEmpty()) {
      throw new HandedProblem("there are no variants, so no gradient to step with");
    }
    return variants.contains("token_mean") ? "token_mean" : variants.getFirst();
  }

  private Path reference(ModelFolder policy) {
    String name = policy.folder().getFileName() + HandedFolder.REFERENCE;
    Path path = folder.models().get(name);
    if (path == null) {
      throw new HandedProblem(
          "the reference policy is missing: the model folder " + name);
    }
    return path;
  }

  private interface Distance {
    double of(ModelFolder model) throws IOException;
  }

  /** The model a document is about: the one with a reference beside it, else the closest. */
  private Path policy(String stem, Distance distance) throws IOException {
    List<String> candidates = folder.policies();
    List<String> referenced =
        candidates.stream()
            .filter(m -> folder.models().containsKey(m + HandedFolder.REFERENCE))
            .toList();
    List<String> left = referenced.isEmpty() ? candidates : referenced;
    if (left.isEmpty()) {
      throw new HandedProblem("there is no model folder to compute this with");
    }
    String best = left.getFirst();
    if (left.size() > 1) {
      double least = Double.POSITIVE_INFINITY;
      for (String candidate : left) {
        double far = distanceOrFar(candidate, distance);
        if (far < least) {
          least = far;
          best = candidate;
        }
      }
      places.notes().accept(
          stem + ": no name says which model it belongs to; " + best + " is the closest");
    }
    return folder.models().get(best);
  }

  private double distanceOrFar(String candidate, Distance distance) throws IOException {
    places.check();
    try {
      return distance.of(folder.model(candidate));
    } catch (RuntimeException e) {
      return Double.POSITIVE_INFINITY;
    }
  }
}
