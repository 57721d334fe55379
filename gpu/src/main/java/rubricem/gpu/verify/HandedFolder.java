package rubricem.gpu.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenConfig;
import rubricem.gpu.weights.UnusableFolderException;

/**
 * A folder of reference numbers, sorted into what it holds: model folders, adapters, tokenizers,
 * documents of cases and files of tensors. Nothing is computed here, and no name of a case is
 * known; what is not recognised is listed as such.
 */
record HandedFolder(
    Path root,
    SortedMap<String, Path> models,
    SortedMap<String, Path> adapters,
    SortedMap<String, Path> tokenizers,
    List<Document> documents,
    SortedMap<String, Path> tensors,
    List<String> unknown) {

  static final String REFERENCE = "-reference-policy";

  private static final String JSON = ".json";
  private static final String TENSORS = ".safetensors";

  /** Handed documents have kilobytes; one beyond this is something else. */
  private static final long BYTES_MAX = 256L << 20;

  /**
   * A file of cases.
   *
   * @param stem the file's name without its ending
   * @param content null where it is no JSON
   */
  record Document(String stem, HandedKind kind, Optional<JsonNode> content) {
    JsonNode root() {
      return content.orElseThrow(() -> new HandedProblem("the file is no valid JSON"));
    }
  }

  static HandedFolder open(Path root) throws IOException {
    UnusableFolderException.requireFolder(root);
    HandedFolder folder =
        new HandedFolder(
            root, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new ArrayList<>(),
            new TreeMap<>(), new ArrayList<>());
    try (Stream<Path> entries = Files.list(root)) {
      for (Path entry : entries.sorted().toList()) {
        folder.sort(entry);
      }
    }
    if (folder.models.isEmpty() && folder.documents.isEmpty() && folder.adapters.isEmpty()
        && folder.tensors.isEmpty()) {
      throw new UnusableFolderException(
          root, "nothing in it can be checked; it is laid out like shared/golden: model folders,"
              + " NAME.forward.json, sft.json, ssgrpo.json and so on");
    }
    return folder;
  }

  private void sort(Path entry) throws IOException {
    String name = entry.getFileName().toString();
    if (Files.isDirectory(entry)) {
      if (Files.exists(entry.resolve(LoraFolder.CONFIG))) {
        adapters.put(name, entry);
      } else if (Files.exists(entry.resolve(QwenConfig.FILE))) {
        models.put(name, entry);
      } else if (Files.exists(entry.resolve(ModelFolder.TOKENIZER))) {
        tokenizers.put(name, entry);
      } else {
        unknown.add(name);
      }
    } else if (name.endsWith(TENSORS)) {
      tensors.put(name.substring(0, name.length() - TENSORS.length()), entry);
    } else if (name.endsWith(JSON)) {
      document(name.substring(0, name.length() - JSON.length()), entry);
    } else if (!name.endsWith(".md")) {
      unknown.add(name);
    }
  }

  private void document(String stem, Path file) throws IOException {
    Optional<JsonNode> content = read(file);
    Optional<HandedKind> kind =
        HandedKind.ofName(stem).or(() -> content.flatMap(HandedKind::ofContent));
    if (kind.isPresent()) {
      documents.add(new Document(stem, kind.get(), content));
    } else {
      unknown.add(file.getFileName().toString());
    }
  }

  private static Optional<JsonNode> read(Path file) throws IOException {
    if (Files.size(file) > BYTES_MAX) {
      return Optional.empty();
    }
    try {
      JsonNode content = new ObjectMapper().readTree(Files.readAllBytes(file));
      return Optional.of(content).filter(JsonNode::isContainerNode);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** The model folder of that name. */
  ModelFolder model(String name) throws IOException {
    Path path = models.get(name);
    if (path == null) {
      throw new HandedProblem(
          "the model folder " + name + " is missing; there "
              + (models.isEmpty() ? "is none" : "are " + String.join(", ", models.keySet())));
    }
    return ModelFolder.open(path);
  }

  /** Of several folders the one named like the document; the only one where there is one. */
  Path named(Map<String, Path> among, String stem, String what) {
    if (among.containsKey(stem)) {
      return among.get(stem);
    }
    List<Path> alike =
        among.entrySet().stream()
            .filter(e -> e.getKey().endsWith(stem) || stem.startsWith(e.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    List<Path> candidates = alike.isEmpty() ? List.copyOf(among.values()) : alike;
    if (candidates.size() != 1) {
      throw new HandedProblem(
          candidates.isEmpty()
              ? "the " + what + " it belongs to is missing"
              : "it is not clear which " + what + " it belongs to: "
                  + String.join(", ", among.keySet()) + "; name one of them " + stem);
    }
    return candidates.getFirst();
  }

  /** Model folders that may be the policy of a document: all but the fixed references. */
  List<String> policies() {
    return models.keySet().stream().filter(name -> !name.endsWith(REFERENCE)).toList();
  }
}
