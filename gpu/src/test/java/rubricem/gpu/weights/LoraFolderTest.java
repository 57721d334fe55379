package rubricem.gpu.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.Golden;

class LoraFolderTest {
  @TempDir Path folder;
  private QwenShape base;
  private ObjectNode config;

  @BeforeEach
  void copyTheHandedOne() throws IOException {
    base = QwenConfig.read(Golden.file("qwen3-tied")).shape();
    Path given = Golden.file("qwen3-tied-lora");
    Files.write(
        folder.resolve(LoraFolder.WEIGHTS), Files.readAllBytes(given.resolve(LoraFolder.WEIGHTS)));
    config = Json.read(given.resolve(LoraFolder.CONFIG));
    Json.write(folder.resolve(LoraFolder.CONFIG), config);
  }

  @Test
  void a_handed_adapter_comes_back_byte_for_byte() throws IOException {
    LoraFolder given = LoraFolder.read(folder, base);
    assertEquals(4, given.config().rank());
    assertEquals(2, given.config().scale());
    assertEquals(21, given.pairs().size());
    Path again = folder.resolve("again");
    given.write(again);
    LoraFolder read = LoraFolder.read(again, base);
    assertEquals(given, read);
    assertEquals(
        Set.copyOf(SafeTensors.open(folder.resolve(LoraFolder.WEIGHTS)).tensors()),
        Set.copyOf(SafeTensors.open(again.resolve(LoraFolder.WEIGHTS)).tensors()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ["q_proj","v_proj"]                        | 6
          ["layers.1.mlp.up_proj"]                   | 1
          ["model.layers.2.mlp.up_proj"]             | 1
          "all-linear"                               | 21
          "ALL-LINEAR"                               | 21
          ".*\\\\.layers\\\\.[01]\\\\..*\\\\.[qk]_proj"   | 4
          ["proj"]                                   | 0
          ["q_pro"]                                  | 0
          "q_proj"                                   | 0
          ["lm_head","embed_tokens"]                 | 0
          ["language_model.layers.0.self_attn.q_proj"] | 0
          """)
  void L48_targets_are_matched_as_peft_does_and_none_is_an_error(String targets, int count)
      throws IOException {
    config.set("target_modules", Json.MAPPER.readTree(targets));
    LoraTargets read = readTargets();
    assertEquals(count, LoraFolder.modules(configWith(read), base).size());
    if (count == 0) {
      assertTrue(refusal().contains("would change nothing"), refusal());
    }
  }

  private LoraTargets readTargets() throws IOException {
    Json.write(folder.resolve(LoraFolder.CONFIG), config);
    return LoraConfigFile.read(folder.resolve(LoraFolder.CONFIG)).targets();
  }

  private static LoraConfig configWith(LoraTargets targets) {
    return new LoraConfig(4, 8, false, targets, 0, "");
  }

  @Test
  void L48_an_adapter_of_which_only_a_part_would_be_in_force_is_refused() throws IOException {
    config.putArray("target_modules").add("q_proj");
    Json.write(folder.resolve(LoraFolder.CONFIG), config);
    assertTrue(refusal().contains("belongs to no layer"), refusal());
    config.put("target_modules", "all-linear");
    Json.write(folder.resolve(LoraFolder.CONFIG), config);
    List<StoredTensor> tensors =
        new ArrayList<>(SafeTensors.open(folder.resolve(LoraFolder.WEIGHTS)).tensors());
    StoredTensor last = tensors.removeLast();
    SafeTensors.write(folder.resolve(LoraFolder.WEIGHTS), tensors);
    assertTrue(refusal().contains(last.name() + " is missing"), refusal());
    tensors.add(last.renamed("model.layers.2.self_attn.v_proj.lora_B.weight"));
    SafeTensors.write(folder.resolve(LoraFolder.WEIGHTS), tensors);
    assertTrue(refusal().contains(last.name() + " is missing"), refusal());
  }

  @Test
  void L48_an_adapter_of_another_base_or_rank_is_refused() throws IOException {
    QwenShape other = QwenShape.of(320, 32, 3, 4, 2, 32, 112, true, 2048);
    assertTrue(
        assertThrows(UnusableFolderException.class, () -> LoraFolder.read(folder, other))
            .getMessage().contains("does not fit the base model"));
    config.put("r", 8);
    Json.write(folder.resolve(LoraFolder.CONFIG), config);
    assertTrue(refusal().contains("does not fit the base model"));
  }

  @Test
  void rank_stabilised_adapters_differ_by_their_scale_alone() throws IOException {
    config.put("use_rslora", true);
    Json.write(folder.resolve(LoraFolder.CONFIG), config);
    LoraFolder read = LoraFolder.read(folder, base);
    assertEquals(4, read.config().scale());
    read.write(folder.resolve("again"));
    assertEquals(read, LoraFolder.read(folder.resolve("again"), base));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          use_dora                | true
          bias                    | "all"
          lora_bias               | true
          modules_to_save         | ["lm_head"]
          rank_pattern            | {"q_proj":8}
          alpha_pattern           | {"q_proj":8}
          fan_in_fan_out          | true
          init_lora_weights       | "pissa"
          layers_to_transform     | [0]
          exclude_modules         | ["q_proj"]
          layer_replication       | [[0,2]]
          trainable_token_indices | [5]
          target_parameters       | ["x"]
          use_qalora              | true
          an_option_of_tomorrow   | "on"
          peft_type               | "IA3"
          r                       | 0
          r                       | null
          target_modules          | null
          target_modules          | []
          target_modules          | "(("
          """)
  void options_we_do_not_compute_are_refused_by_name(String key, String value)
      throws IOException {
    config.set(key, Json.MAPPER.readTree(value));
    Json.write(folder.resolve(LoraFolder.CONFIG), config);
    String message = refusal();
    assertTrue(message.contains(key) || message.contains("rank 0"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"an_option_of_tomorrow", "loftq_config", "eva_config"})
  void options_that_are_off_are_no_matter(String key) throws IOException {
    for (String off : List.of("null", "false", "{}", "[]")) {
      config.set(key, Json.MAPPER.readTree(off));
      Json.write(folder.resolve(LoraFolder.CONFIG), config);
      assertEquals(21, LoraFolder.read(folder, base).pairs().size());
    }
  }

  private String refusal() {
    return assertThrows(UnusableFolderException.class, () -> LoraFolder.read(folder, base))
        .getMessage();
  }
}
