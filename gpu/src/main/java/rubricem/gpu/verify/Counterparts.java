package rubricem.gpu.verify;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import rubricem.gpu.verify.HandedFolder.Document;

/**
 * What lies in a folder of reference numbers without the numbers that belong to it: a model without
 * its forward cases, a fixed reference, an adapter or a tokenizer that no document is about. Each
 * is a comparison that failed, because nobody would miss it otherwise. A part that is absent as a
 * whole is named and no failure: any part of such a folder can be compared by itself.
 */
final class Counterparts {
  private final HandedFolder folder;
  private final Places places;

  Counterparts(HandedFolder folder, Places places) {
    this.folder = folder;
    this.places = places;
  }

  void check() {
    Set<String> forward = new HashSet<>();
    of(HandedKind.FORWARD).forEach(d -> forward.add(forwardModel(d.stem())));
    boolean surrogate = !of(HandedKind.SURROGATE).isEmpty();
    for (String model : folder.models().keySet()) {
      boolean reference = model.endsWith(HandedFolder.REFERENCE);
      if (!forward.contains(model) && !(reference && surrogate)) {
        failed(
            model, HandedKind.FORWARD,
            reference
                ? "there is no document of rollouts, such as ssgrpo.json, whose reference it is"
                : model + ".forward.json is missing, so nothing says what this model gives");
      }
    }
    unused(
        folder.adapters(), HandedKind.ADAPTER,
        "the file that says what this adapter gives, such as lora.json, is missing");
    unused(
        folder.tokenizers(), HandedKind.TOKENIZER,
        "the file that says what this tokenizer gives, such as tokenizer.json, is missing");
    List<String> absent =
        Arrays.stream(HandedKind.values())
            .filter(kind -> of(kind).isEmpty())
            .map(HandedKind::word)
            .toList();
    if (!absent.isEmpty()) {
      places.notes().accept(
          "The folder has no document of these parts: " + String.join(", ", absent));
    }
  }

  /** The name of the model that a document of forward cases is about. */
  static String forwardModel(String stem) {
    return stem.replaceFirst("[._-]?forward$", "");
  }

  private void unused(Map<String, Path> folders, HandedKind kind, String problem) {
    Set<Path> used = new HashSet<>();
    for (Document document : of(kind)) {
      try {
        used.add(folder.named(folders, document.stem(), ""));
      } catch (HandedProblem e) {
        // the document itself fails by that, and its folder is not told apart from the others
        used.addAll(folders.values());
      }
    }
    folders.forEach(
        (name, path) -> {
          if (!used.contains(path)) {
            failed(name, kind, problem);
          }
        });
  }

  private List<Document> of(HandedKind kind) {
    return folder.documents().stream().filter(d -> d.kind() == kind).toList();
  }

  private void failed(String name, HandedKind kind, String problem) {
    places.checks().accept(Check.failed(name, kind.word(), problem));
  }
}
