package rubricem.gpu.weights;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The weights of a folder under their names, whether they lie in one file or in shards with an
 * index. Opening checks that index and shards say the same: every named shard is there, holds what
 * the index says and nothing else. Writing leaves one form only, so that no reader finds parts of
 * an older one.
 */
public final class ShardedWeights {
  public static final String SINGLE = "model.safetensors";
  public static final String INDEX = "model.safetensors.index.json";

  /** What transformers writes to one file. */
  public static final long SHARD_BYTES = 5_000_000_000L;

  private final Path folder;
  private final Map<String, SafeTensors> fileOf;

  private ShardedWeights(Path folder, Map<String, SafeTensors> fileOf) {
    this.folder = folder;
    this.fileOf = fileOf;
  }

  public static ShardedWeights open(Path folder) throws IOException {
    // a single file wins where both are, as in transformers
    if (Files.exists(folder.resolve(SINGLE))) {
      SafeTensors file = SafeTensors.open(folder.resolve(SINGLE));
      Map<String, SafeTensors> fileOf = new TreeMap<>();
      file.specs().forEach(spec -> fileOf.put(spec.name(), file));
      return new ShardedWeights(folder, fileOf);
    }
    if (!Files.exists(folder.resolve(INDEX))) {
      throw new UnusableFolderException(
          folder,
          "neither " + SINGLE + " nor " + INDEX + " is there; weights of other kinds (.bin, .gguf)"
              + " are not read");
    }
    return openShards(folder);
  }

  private static ShardedWeights openShards(Path folder) throws IOException {
    Path index = folder.resolve(INDEX);
    if (!(Json.read(index).get("weight_map") instanceof ObjectNode map)) {
      throw new UnusableFolderException(index, "there is no weight_map");
    }
    Map<String, SafeTensors> shards = new LinkedHashMap<>();
    Map<String, SafeTensors> fileOf = new TreeMap<>();
    for (Map.Entry<String, JsonNode> field : map.properties()) {
      String shard = field.getValue().asText();
      if (!shard.matches("[A-Za-z0-9._-]+\\.safetensors")) {
        throw new UnusableFolderException(index, "'" + shard + "' is no name of a shard");
      }
      SafeTensors file = shards.get(shard);
      if (file == null) {
        file = SafeTensors.open(folder.resolve(shard));
        shards.put(shard, file);
      }
      if (file.spec(field.getKey()).isEmpty()) {
        throw new UnusableFolderException(file.file(), "the index says it holds " + field.getKey());
      }
      fileOf.put(field.getKey(), file);
    }
    for (SafeTensors file : shards.values()) {
      for (TensorSpec spec : file.specs()) {
        if (fileOf.get(spec.name()) != file) {
          throw new UnusableFolderException(
              file.file(), "it holds " + spec.name() + ", which the index does not place there");
        }
      }
    }
    return new ShardedWeights(folder, fileOf);
  }

  public Path folder() {
    return folder;
  }

  /** Sorted by name. */
  public List<TensorSpec> specs() {
    return fileOf.entrySet().stream()
        .map(e -> e.getValue().spec(e.getKey()).orElseThrow())
        .toList();
  }

  public Optional<TensorSpec> spec(String name) {
    return Optional.ofNullable(fileOf.get(name)).flatMap(file -> file.spec(name));
  }

  public StoredTensor tensor(String name) throws IOException {
    SafeTensors file = fileOf.get(name);
    if (file == null) {
      throw new UnusableFolderException(folder, "there is no tensor " + name);
    }
    return file.tensor(name);
  }

  /** One file where all fits below the bound, else shards in the order given, with an index. */
  public static void write(
      Path folder, List<TensorSpec> specs, SafeTensors.TensorBytes bytes, long shardBytesMax)
      throws IOException {
    List<List<TensorSpec>> shards = shards(specs, shardBytesMax);
    Files.createDirectories(folder);
    if (shards.size() == 1) {
      SafeTensors.write(folder.resolve(SINGLE), specs, bytes, SafeTensors.PYTORCH);
      removeOthers(folder, List.of(SINGLE));
      return;
    }
    ObjectNode index = Json.MAPPER.createObjectNode();
    ObjectNode metadata = index.putObject("metadata");
    metadata.put("total_parameters", specs.stream().mapToLong(TensorSpec::elements).sum());
    metadata.put("total_size", specs.stream().mapToLong(TensorSpec::bytes).sum());
    Map<String, String> places = new TreeMap<>();
    List<String> written = new ArrayList<>(List.of(INDEX));
    for (int i = 0; i < shards.size(); i++) {
      String name = "model-%05d-of-%05d.safetensors".formatted(i + 1, shards.size());
      SafeTensors.write(folder.resolve(name), shards.get(i), bytes, SafeTensors.PYTORCH);
      shards.get(i).forEach(spec -> places.put(spec.name(), name));
      written.add(name);
    }
    ObjectNode map = index.putObject("weight_map");
    places.forEach(map::put);
    Json.write(folder.resolve(INDEX), index);
    removeOthers(folder, written);
  }

  static List<List<TensorSpec>> shards(List<TensorSpec> specs, long bytesMax) {
    List<List<TensorSpec>> out = new ArrayList<>(List.of(new ArrayList<>()));
    long filled = 0;
    for (TensorSpec spec : specs) {
      if (!out.getLast().isEmpty() && filled + spec.bytes() > bytesMax) {
        out.add(new ArrayList<>());
        filled = 0;
      }
      out.getLast().add(spec);
      filled += spec.bytes();
    }
    return out;
  }

  private static void removeOthers(Path folder, List<String> written) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, "model{-*-of-*,}.safetensors{,.index.json}")) {
      for (Path file : files) {
        if (!written.contains(file.getFileName().toString())) {
          Files.delete(file);
        }
      }
    }
  }
}
