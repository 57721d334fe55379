package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.TinyModel;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.ModelFolder;

/** Going on with a run whose base or checkpoints are not what they were. */
class SftResumeTest {
  private static final String GONE_ON = "sft --resume --out @run --quiet";

  @TempDir Path scratch;

  @BeforeEach
  void files() throws IOException {
    TinyModel.write(scratch.resolve("model"));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      lines.add("{\"ids\": [1, 2, %d, 4], \"mask\": [0, 0, 1, 1]}".formatted(i + 10));
    }
    Files.write(scratch.resolve("data.jsonl"), lines);
  }

  private Told told(String words) {
    return Told.by(
        Arrays.stream(words.split(" "))
            .map(w -> w.startsWith("@") ? scratch.resolve(w.substring(1)).toString() : w)
            .toArray(String[]::new));
  }

  private void begin(String more) {
    Told begun =
        told("sft --data @data.jsonl --model @model --out @run --quiet --batch 3 " + more);
    assertEquals(0, begun.code(), begun.err());
  }

  private Path checkpoint(int step) {
    return scratch.resolve("run/checkpoints/step-%06d".formatted(step));
  }

  private void changeByte(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 2] ^= 1;
    Files.write(file, bytes);
  }

  /** The run as it was begun by a program that did not record this yet. */
  private void forget(String recorded) throws IOException {
    Path config = scratch.resolve("run/config.conf");
    String text = Files.readString(config);
    String old = text.replaceAll(recorded, "");
    assertFalse(old.equals(text), text);
    Files.writeString(config, old);
  }

  private void assertRefused(Told told, int code, String... parts) {
    assertEquals(code, told.code(), told.err());
    for (String part : parts) {
      assertTrue(told.err().contains(part.replace("@", scratch + "/")), told.err());
    }
    assertFalse(told.err().contains("\tat "), told.err());
  }

  @Test
  void another_base_of_the_same_shape_is_refused_by_a_run() throws IOException {
    begin("--steps 4 --checkpoint-every 2");
    Files.delete(checkpoint(4).resolve("manifest.json"));
    changeByte(scratch.resolve("model/model.safetensors"));
    assertRefused(
        told(GONE_ON), Failure.WORK_FAILED, "@model", "not the model this run was begun with",
        "begin another run");
    assertFalse(Files.exists(checkpoint(4).resolve("manifest.json")), "nothing was trained");
  }

  @Test
  void a_run_begun_before_bases_were_recorded_goes_on() throws IOException {
    begin("--steps 4 --checkpoint-every 2");
    forget("(?m)^.*model-sha256.*\\R");
    Files.delete(checkpoint(4).resolve("manifest.json"));
    Told ended = told(GONE_ON);
    assertEquals(0, ended.code(), ended.err());
    assertTrue(Files.exists(checkpoint(4).resolve("manifest.json")));
  }

  private void assertGoesOnOnlyWith(String file, String problem) throws IOException {
    assertRefused(
        told(GONE_ON), Failure.WORK_FAILED, "@model/" + file, problem, "how text becomes tokens",
        "begin another run");
    assertFalse(Files.exists(checkpoint(4).resolve("manifest.json")), "nothing was trained");
  }

  @Test
  void another_tokenizer_or_template_under_the_same_weights_is_refused() throws IOException {
    Path special = scratch.resolve("model/special_tokens_map.json");
    Files.writeString(special, "{}");
    begin("--steps 4 --checkpoint-every 2");
    Files.delete(checkpoint(4).resolve("manifest.json"));
    Path tokenizer = scratch.resolve("model/tokenizer.json");
    byte[] good = Files.readAllBytes(tokenizer);
    Files.writeString(tokenizer, Files.readString(tokenizer) + "\n");
    assertGoesOnOnlyWith("tokenizer.json", "is not the one this run was begun with");
    Files.write(tokenizer, good);
    Files.delete(special);
    assertGoesOnOnlyWith("special_tokens_map.json", "is gone");
    Files.writeString(special, "{}");
    Path template = scratch.resolve("model/chat_template.jinja");
    Files.writeString(template, "{{ messages }}");
    assertGoesOnOnlyWith("chat_template.jinja", "was not there");
    Files.delete(template);
    Files.writeString(scratch.resolve("model/generation_config.json"), "{\"eos_token_id\": 3}");
    assertEquals(0, told(GONE_ON).code());
  }

  @Test
  void another_configuration_of_the_model_is_refused_by_its_name() throws IOException {
    begin("--steps 4 --checkpoint-every 2");
    Path model = scratch.resolve("model/config.json");
    String good = Files.readString(model);
    for (String changed :
        List.of(
            "\"max_position_embeddings\": 3", "\"num_hidden_layers\": 3", "\"eos_token_id\": 3")) {
      String key = changed.split(":")[0];
      String other =
          good.contains(key)
              ? good.replaceFirst(key + "\\s*:\\s*(\\d+|null|\\[[^]]*\\])", changed)
              : good.replaceFirst("\\{", "{ " + changed + ",");
      assertFalse(other.equals(good), good);
      Files.writeString(model, other);
      assertRefused(
          told(GONE_ON), Failure.WORK_FAILED, "@model/config.json",
          "is not the one this run was begun with");
    }
    Files.writeString(model, good + "\n");
    forget("(?m)^.*model-config-sha256.*\\R");
    Told ended = told(GONE_ON);
    assertEquals(0, ended.code(), "a run of before did not record it: " + ended.err());
  }

  @Test
  void a_run_begun_before_tokenizers_were_recorded_goes_on() throws IOException {
    begin("--steps 4 --checkpoint-every 2");
    forget("(?s)\\R    text-sha256 \\{.*?\\}");
    Files.delete(checkpoint(4).resolve("manifest.json"));
    Files.writeString(scratch.resolve("model/chat_template.jinja"), "{{ messages }}");
    Told ended = told(GONE_ON);
    assertEquals(0, ended.code(), ended.err());
  }

  @ParameterizedTest
  @CsvSource({
    "batch=3, batch=2, supervised.batch is 2",
    "row-tokens=16384, row-tokens=100, supervised.row-tokens is 100",
    "floor=0, floor=1, floor is 1",
    "steps=4, steps=6, run.steps is 6",
    "seed=1, seed=2, supervised.seed is 2",
    "beta1=0.9, beta1=0.8, optimiser.beta1 is 0.8",
    "rank=0, rank=4, adapter.rank is 4"
  })
  void a_configuration_that_was_changed_under_a_run_is_refused(
      String before, String after, String problem) throws IOException {
    begin("--steps 4 --checkpoint-every 2");
    Files.delete(checkpoint(4).resolve("manifest.json"));
    Path config = scratch.resolve("run/config.conf");
    String text = Files.readString(config);
    assertTrue(text.contains(before), text);
    Files.writeString(config, text.replace(before, after));
    assertRefused(
        told(GONE_ON), Failure.WORK_FAILED, problem, "step-000002 was trained with",
        "Put it back in config.conf");
    assertFalse(Files.exists(checkpoint(4).resolve("manifest.json")), "nothing was trained");
    Files.writeString(
        config, text.replace("every=2", "every=1").replace("workers=auto", "workers=1"));
    assertEquals(0, told(GONE_ON).code(), "how safely and how fast may change");
  }

  @Test
  void a_configuration_that_says_otherwise_than_the_run_is_not_ignored() throws IOException {
    Path mine = scratch.resolve("my.conf");
    Files.writeString(mine, "rubricem.learner.optimiser.beta2 = 0.9\n");
    begin("--steps 4 --checkpoint-every 2 --config @my.conf");
    Files.delete(checkpoint(4).resolve("manifest.json"));
    assertEquals(0, told(GONE_ON + " --config @my.conf").code());
    Files.writeString(
        mine, "rubricem.learner { optimiser.beta2 = 0.8, supervised.schedule.rate = 0.1 }\n");
    assertRefused(
        told(GONE_ON + " --config @my.conf"), Failure.USAGE, "rubricem.learner.optimiser.beta2,",
        "rubricem.learner.supervised.schedule.rate", "goes on as it was begun", "Leave these out");
  }

  @Test
  void another_base_of_the_same_shape_is_refused_by_an_adapter() throws IOException {
    begin("--steps 2 --lora 2");
    String generate = "generate --ids 1,2 --max-tokens 2 --quiet --model ";
    Path copy = scratch.resolve("copied");
    Files.createDirectory(copy);
    try (Stream<Path> files = Files.list(checkpoint(2))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    assertEquals(0, told(generate + checkpoint(2)).code());
    assertEquals(0, told(generate + copy).code());
    // the same weights in other files are the same model
    ModelFolder same = ModelFolder.open(scratch.resolve("model"));
    ModelFolder.write(
        scratch.resolve("again"), same.config(), Dtype.F32, n -> same.tensor(n).bytes(), 50_000);
    Files.delete(scratch.resolve("model/model.safetensors"));
    try (Stream<Path> files = Files.list(scratch.resolve("again"))) {
      for (Path file : files.filter(f -> f.toString().contains("safetensors")).toList()) {
        Files.copy(file, scratch.resolve("model").resolve(file.getFileName()));
      }
    }
    Told sharded = told(generate + checkpoint(2));
    assertEquals(0, sharded.code(), sharded.err());
    try (Stream<Path> files = Files.list(scratch.resolve("model"))) {
      changeByte(files.filter(f -> f.toString().endsWith(".safetensors")).findAny().orElseThrow());
    }
    String[] parts = {"@model", "not the one that this adapter was trained on", "bring"};
    assertRefused(told(generate + checkpoint(2)), Failure.USAGE, parts);
    assertRefused(told(generate + copy), Failure.USAGE, parts);
    assertRefused(told(GONE_ON), Failure.WORK_FAILED, "@model");
  }

  @Test
  void a_run_whose_every_checkpoint_is_damaged_is_not_begun_anew() throws IOException {
    begin("--steps 6 --checkpoint-every 2");
    changeByte(checkpoint(2).resolve("model.safetensors"));
    Files.delete(checkpoint(4).resolve("optimiser/state.safetensors"));
    Files.delete(checkpoint(6).resolve("manifest.json"));
    String metrics = Files.readString(scratch.resolve("run/metrics.jsonl"));
    Told ended = told(GONE_ON);
    assertRefused(
        ended, Failure.WORK_FAILED, "step-000002", "differs from its checksum", "step-000004",
        "state.safetensors is missing", "step-000006", "never completed", "restore",
        "another run");
    assertEquals(metrics, Files.readString(scratch.resolve("run/metrics.jsonl")));
    assertFalse(Files.exists(checkpoint(6).resolve("manifest.json")));
  }

  @Test
  void a_run_that_died_at_its_first_checkpoint_goes_on_from_its_start() throws IOException {
    begin("--steps 6 --checkpoint-every 3");
    byte[] whole = Files.readAllBytes(checkpoint(6).resolve("model.safetensors"));
    for (Path file : List.of(checkpoint(6), checkpoint(6).resolve("optimiser"))) {
      try (Stream<Path> files = Files.list(file)) {
        for (Path inner : files.filter(Files::isRegularFile).toList()) {
          Files.delete(inner);
        }
      }
    }
    Files.delete(checkpoint(6).resolve("optimiser"));
    Files.delete(checkpoint(6));
    Files.delete(checkpoint(3).resolve("manifest.json"));
    Told ended = told(GONE_ON);
    assertEquals(0, ended.code(), ended.err());
    assertEquals(
        6, Files.readAllLines(scratch.resolve("run/metrics.jsonl")).size(), "once each");
    assertArrayEquals(whole, Files.readAllBytes(checkpoint(6).resolve("model.safetensors")));
  }
}
