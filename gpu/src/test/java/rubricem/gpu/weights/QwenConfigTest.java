package rubricem.gpu.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.Golden;

class QwenConfigTest {
  private static final String OLDER = "qwen3-untied-sharded-bf16";

  @TempDir Path folder;

  @Test
  void both_spellings_are_read() throws IOException {
    QwenConfig newer = QwenConfig.read(Golden.file("qwen3-tied"));
    assertEquals(QwenShape.of(320, 64, 3, 4, 2, 32, 112, true, 2048), newer.shape());
    assertEquals(Optional.of(Dtype.F32), newer.dtype());
    QwenConfig older = QwenConfig.read(Golden.file(OLDER));
    assertEquals(QwenShape.of(320, 64, 3, 4, 2, 16, 112, false, 2048), older.shape());
    assertEquals(Optional.of(Dtype.BF16), older.dtype());
  }

  @ParameterizedTest
  @ValueSource(strings = {"qwen3-tied", OLDER})
  void what_was_read_is_written_with_all_its_keys(String name) throws IOException {
    ObjectNode given = Json.read(Golden.file(name).resolve("config.json"));
    given.put("something_new", "kept");
    QwenConfig.of(folder, given).write(folder);
    assertEquals(given, Json.read(folder.resolve("config.json")));
    QwenConfig.of(folder, given).withDtype(Dtype.F16).write(folder);
    ObjectNode changed = Json.read(folder.resolve("config.json"));
    given.put(name.equals(OLDER) ? "torch_dtype" : "dtype", "float16");
    assertEquals(given, changed);
  }

  @Test
  void a_fresh_one_is_read_as_the_shape_it_was_made_from() throws IOException {
    QwenShape shape =
        new QwenShape(
            512, 128, 6, 4, 2, 32, 352, true, 5e5, 1e-5, 4096, List.of(2, 0), OptionalInt.of(1),
            OptionalInt.of(0));
    QwenConfig.fresh(shape, Dtype.BF16).write(folder);
    QwenConfig read = QwenConfig.read(folder);
    assertEquals(shape, read.shape());
    assertEquals(Optional.of(Dtype.BF16), read.dtype());
  }

  @Test
  void what_a_published_folder_leaves_out_has_the_value_of_transformers() throws IOException {
    ObjectNode given = given();
    given.remove(
        List.of("head_dim", "rope_theta", "rope_scaling", "rms_norm_eps", "tie_word_embeddings"));
    given.put("hidden_size", 512).put("eos_token_id", 5).putNull("num_key_value_heads");
    QwenShape shape = QwenConfig.of(folder, given).shape();
    assertEquals(128, shape.headSize());
    assertEquals(10_000, shape.ropeTheta());
    assertEquals(1e-6, shape.rmsEpsilon());
    assertEquals(4, shape.kvHeads());
    assertEquals(List.of(5), shape.eosIds());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          model_type                | "qwen2"
          model_type                | null
          architectures             | ["Qwen3Model"]
          hidden_act                | "gelu"
          attention_bias            | true
          attention_dropout         | 0.1
          use_sliding_window        | true
          layer_types               | ["full_attention","sliding_attention","full_attention"]
          layer_types               | ["full_attention"]
          rope_scaling              | {"rope_type":"yarn","factor":4.0}
          rope_scaling              | {"type":"linear","factor":4.0}
          rope_parameters           | {"rope_type":"llama3","rope_theta":1e6}
          rope_parameters           | {"rope_theta":1e6,"partial_rotary_factor":0.5}
          rope_scaling              | 2
          quantization_config       | {"bits":4}
          vocab_size                | null
          hidden_size               | -64
          num_hidden_layers         | 2.5
          num_attention_heads       | "4"
          rms_norm_eps              | "tiny"
          tie_word_embeddings       | 1
          eos_token_id              | [1,"x"]
          bos_token_id              | 1.5
          """)
  void what_we_do_not_compute_is_refused_by_its_key(String key, String value) throws IOException {
    refusal(key, value, key);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rope_parameters | {"rope_theta":"large"} | rope_theta is "large"
          vocab_size | 0 | a size of 0
          hidden_size | 99999999 | a size of 99999999
          num_key_value_heads | 3 | 4 heads do not divide among 3 key-value heads
          head_dim | 15 | head size of 15
          rope_theta | -1 | rope theta -1.0
          """)
  void values_that_make_no_model_are_refused(String key, String value, String named)
      throws IOException {
    refusal(key, value, named);
  }

  private void refusal(String key, String value, String named) throws IOException {
    ObjectNode given = given();
    given.set(key, Json.MAPPER.readTree(value));
    UnusableFolderException refusal =
        assertThrows(
            UnusableFolderException.class, () -> QwenConfig.of(folder.resolve("c"), given));
    String message = refusal.getMessage();
    assertTrue(message.startsWith(folder.resolve("c") + ": "), message);
    assertTrue(message.contains(named), message);
  }

  @Test
  void harmless_forms_of_the_same_keys_are_taken() throws IOException {
    ObjectNode given = given();
    given.put("sliding_window", 4096);
    given.set("rope_scaling", Json.MAPPER.readTree("{\"rope_type\":\"default\"}"));
    given.remove(List.of("architectures", "attention_bias", "use_sliding_window"));
    assertEquals(1e6, QwenConfig.of(folder, given).shape().ropeTheta());
  }

  @Test
  void files_that_are_no_configuration_are_named() throws IOException {
    assertThrows(UnusableFolderException.class, () -> QwenConfig.read(folder));
    for (String text : List.of("", "[]", "{", "{\"a\":1,\"a\":2}", "{} {}")) {
      Files.writeString(folder.resolve("config.json"), text);
      UnusableFolderException refusal =
          assertThrows(UnusableFolderException.class, () -> QwenConfig.read(folder), text);
      assertTrue(refusal.getMessage().contains("config.json: no "), refusal.getMessage());
    }
  }

  private static ObjectNode given() throws IOException {
    return Json.read(Golden.file(OLDER).resolve("config.json"));
  }
}
