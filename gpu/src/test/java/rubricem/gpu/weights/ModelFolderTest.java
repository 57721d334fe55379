package rubricem.gpu.weights;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.Golden;

class ModelFolderTest {
  private static final String TIED = "qwen3-tied";
  private static final String SHARDED = "qwen3-untied-sharded-bf16";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {TIED, SHARDED, "qwen3-tied-reference-policy"})
  void a_handed_folder_comes_back_byte_for_byte_whole_and_in_shards(String name)
      throws IOException {
    ModelFolder given = ModelFolder.open(Golden.file(name));
    Dtype dtype = given.specs().getFirst().dtype();
    ModelFolder.write(folder, given, dtype, n -> given.tensor(n).bytes());
    same(given, ModelFolder.open(folder));
    assertEquals(Set.of("config.json", "generation_config.json", "model.safetensors"), names());
    assertEquals(
        -1,
        Files.mismatch(
            given.folder().resolve("generation_config.json"),
            folder.resolve("generation_config.json")));
    ModelFolder.write(folder, given.config(), dtype, n -> given.tensor(n).bytes(), 60_000);
    same(given, ModelFolder.open(folder));
    assertFalse(names().contains("model.safetensors"), "an older form stays behind");
    long shards = names().stream().filter(n -> n.matches("model-.*safetensors")).count();
    assertTrue(shards > 2);
    ObjectNode metadata =
        (ObjectNode) Json.read(folder.resolve(ShardedWeights.INDEX)).get("metadata");
    assertEquals(given.shape().parameters(), metadata.get("total_parameters").longValue());
    assertEquals(
        given.specs().stream().mapToLong(TensorSpec::bytes).sum(),
        metadata.get("total_size").longValue());
    ModelFolder.write(folder, given.config(), dtype, n -> given.tensor(n).bytes(), Long.MAX_VALUE);
    assertEquals(Set.of("config.json", "generation_config.json", "model.safetensors"), names());
  }

  @Test
  void the_index_of_a_handed_folder_has_our_figures() throws IOException {
    ObjectNode metadata =
        (ObjectNode) Json.read(Golden.file(SHARDED).resolve(ShardedWeights.INDEX)).get("metadata");
    long parameters = ModelFolder.open(Golden.file(SHARDED)).shape().parameters();
    assertEquals(parameters, metadata.get("total_parameters").longValue());
    assertEquals(2 * parameters, metadata.get("total_size").longValue());
  }

  private static void same(ModelFolder left, ModelFolder right) throws IOException {
    assertEquals(left.shape(), right.shape());
    assertEquals(left.tensors(), right.tensors());
  }

  private Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  @Test
  void another_type_is_written_with_its_name_in_the_configuration() throws IOException {
    ModelFolder given = ModelFolder.open(Golden.file(SHARDED));
    ModelFolder.write(
        folder,
        given,
        Dtype.F32,
        n -> {
          StoredTensor t = given.tensor(n);
          return StoredTensor.of(n, Dtype.F32, t.shape(), t.toFloats()).bytes();
        });
    ModelFolder read = ModelFolder.open(folder);
    assertEquals(Dtype.F32, read.config().dtype().orElseThrow());
    assertArrayEquals(
        given.tensor(QwenTensors.HEAD).toFloats(), read.tensor(QwenTensors.HEAD).toFloats());
  }

  @Test
  void a_folder_is_not_written_while_it_is_read() throws IOException {
    put(TIED, tensors(TIED));
    ModelFolder open = ModelFolder.open(folder);
    assertThrows(
        IllegalArgumentException.class,
        () -> ModelFolder.write(folder, open, Dtype.F32, n -> open.tensor(n).bytes()));
    same(ModelFolder.open(Golden.file(TIED)), ModelFolder.open(folder));
  }

  @Test
  void a_tied_head_may_lie_there_if_it_is_the_embedding() throws IOException {
    Map<String, StoredTensor> tensors = tensors(TIED);
    StoredTensor embedding = tensors.get(QwenTensors.EMBEDDING);
    tensors.put(QwenTensors.HEAD, embedding.renamed(QwenTensors.HEAD));
    put(TIED, tensors);
    assertEquals(ModelFolder.open(Golden.file(TIED)).specs(), ModelFolder.open(folder).specs());
    float[] other = embedding.toFloats();
    other[3] += 1;
    tensors.put(
        QwenTensors.HEAD,
        StoredTensor.of(QwenTensors.HEAD, Dtype.F32, embedding.shape(), other));
    put(TIED, tensors);
    assertTrue(refusal().contains("tie_word_embeddings"));
  }

  @Test
  void missing_unknown_and_misshapen_tensors_are_named() throws IOException {
    Map<String, StoredTensor> tensors = tensors(SHARDED);
    StoredTensor head = tensors.remove(QwenTensors.HEAD);
    put(SHARDED, tensors);
    assertTrue(refusal().contains("missing: lm_head.weight"), refusal());
    tensors.put(head.name(), head);
    tensors.put("model.x", head.renamed("model.x"));
    put(SHARDED, tensors);
    assertTrue(refusal().contains("unknown: model.x"), refusal());
    tensors.remove("model.x");
    StoredTensor flat =
        new StoredTensor(head.name(), head.dtype(), new long[] {64, 320}, head.bytes());
    tensors.put(head.name(), flat);
    put(SHARDED, tensors);
    assertTrue(refusal().contains("lm_head.weight BF16[64, 320] instead of [320, 64]"), refusal());
    tensors.put(head.name(), new StoredTensor(head.name(), Dtype.I16, head.shape(), head.bytes()));
    put(SHARDED, tensors);
    assertTrue(refusal().contains("lm_head.weight I16"), refusal());
    put(SHARDED, Map.of(head.name(), head));
    assertTrue(refusal().contains("and 30 more"), refusal());
  }

  @Test
  void shards_that_differ_from_their_index_are_refused() throws IOException {
    for (String damage : List.of("gone", "moved", "surplus", "outside", "no map")) {
      try (Stream<Path> files = Files.list(Golden.file(SHARDED))) {
        for (Path file : files.toList()) {
          Path copy = folder.resolve(file.getFileName());
          Files.deleteIfExists(copy);
          Files.write(copy, Files.readAllBytes(file));
        }
      }
      Path index = folder.resolve(ShardedWeights.INDEX);
      ObjectNode root = Json.read(index);
      ObjectNode map = (ObjectNode) root.get("weight_map");
      switch (damage) {
        case "gone" -> Files.delete(folder.resolve("model-00003-of-00005.safetensors"));
        case "moved" -> map.put(QwenTensors.HEAD, "model-00001-of-00005.safetensors");
        case "surplus" -> map.remove(QwenTensors.LAST_NORM);
        case "outside" -> map.put(QwenTensors.HEAD, "../x.safetensors");
        default -> root.remove("weight_map");
      }
      Json.write(index, root);
      assertThrows(UnusableFolderException.class, () -> ModelFolder.open(folder), damage);
    }
  }

  @Test
  void folders_of_other_kinds_are_said_to_be_so() throws IOException {
    assertTrue(
        assertThrows(IOException.class, () -> ModelFolder.open(folder.resolve("none")))
            .getMessage().endsWith("there is no such folder"));
    assertTrue(
        assertThrows(IOException.class, () -> ModelFolder.open(Golden.file("qwen3-tied-lora")))
            .getMessage().contains("adapter"));
    QwenConfig.read(Golden.file(TIED)).write(folder);
    Files.writeString(folder.resolve("pytorch_model.bin"), "");
    assertTrue(refusal().contains("neither model.safetensors"));
  }

  @Test
  void tokens_that_end_a_text_come_from_both_files() throws IOException {
    put(TIED, tensors(TIED));
    assertEquals(Set.of(), ModelFolder.open(folder).stopIds());
    Files.writeString(folder.resolve(ModelFolder.GENERATION), "{\"eos_token_id\":[7,8]}");
    ObjectNode config = Json.read(folder.resolve(QwenConfig.FILE));
    Json.write(folder.resolve(QwenConfig.FILE), config.put("eos_token_id", 9));
    assertEquals(Set.of(7, 8, 9), ModelFolder.open(folder).stopIds());
  }

  private Map<String, StoredTensor> tensors(String name) throws IOException {
    Map<String, StoredTensor> out = new LinkedHashMap<>();
    for (StoredTensor tensor : ModelFolder.open(Golden.file(name)).tensors()) {
      out.put(tensor.name(), tensor);
    }
    return out;
  }

  private void put(String name, Map<String, StoredTensor> tensors) throws IOException {
    QwenConfig.read(Golden.file(name)).write(folder);
    SafeTensors.write(folder.resolve(ShardedWeights.SINGLE), tensors.values());
  }

  private String refusal() {
    return assertThrows(UnusableFolderException.class, () -> ModelFolder.open(folder)).getMessage();
  }
}
