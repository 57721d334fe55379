package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.TinyModel;
import rubricem.gpu.weights.QwenShape;

/**
 * A local policy that cannot play is said when a program starts with it, not at its first call: the
 * folder, why, and what to do. Nothing is begun.
 */
class LocalPolicyStartTest {
  @TempDir Path scratch;

  @BeforeEach
  void files() throws IOException {
    TinyModel.write(scratch.resolve("model"), shape(8192));
    Files.createDirectories(scratch.resolve("corpus"));
    Files.writeString(scratch.resolve("corpus/notes.md"), "# Lamp\nIt is lit at night.\n");
    Files.writeString(
        scratch.resolve("data.jsonl"), "{\"ids\": [1, 2, 3], \"mask\": [0, 1, 1]}\n");
  }

  private static QwenShape shape(int positions) {
    return QwenShape.of(385, 48, 2, 4, 2, 16, 96, true, positions);
  }

  private Told told(String words) {
    return Told.by(
        Arrays.stream(words.split(" "))
            .map(w -> w.replace("@", scratch + "/"))
            .toArray(String[]::new));
  }

  private void assertRefused(String command, String policy, String... parts) {
    Told told =
        told(command + " --corpus @corpus --data-dir @data --quiet --policy local:" + policy);
    assertEquals(Failure.USAGE, told.code(), told.err());
    for (String part : parts) {
      assertTrue(told.err().contains(part.replace("@", scratch + "/")), told.err());
    }
    assertFalse(told.err().contains("Exception"), told.err());
    assertFalse(Files.exists(scratch.resolve("data/journal")), "nothing was begun");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ask lamp", "serve --port 0"})
  void an_adapter_over_another_base_is_refused_at_the_start(String command) throws IOException {
    Told begun =
        told("sft --data @data.jsonl --model @model --out @run --steps 1 --lora 2 --quiet");
    assertEquals(0, begun.code(), begun.err());
    Path weights = scratch.resolve("model/model.safetensors");
    byte[] bytes = Files.readAllBytes(weights);
    bytes[bytes.length - 2] ^= 1;
    Files.write(weights, bytes);
    assertRefused(
        command, "@run/checkpoints/step-000001", "@model",
        "not the one that this adapter was trained on", "bring that model back there");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ask lamp", "serve --port 0"})
  void a_folder_that_is_missing_incomplete_or_unknown_is_refused_at_the_start(String command)
      throws IOException {
    assertRefused(command, "@gone", "@gone: there is no such folder");
    assertRefused(command, "@data.jsonl", "@data.jsonl: it is a file");
    Path tokenizer = scratch.resolve("model/tokenizer.json");
    String text = Files.readString(tokenizer);
    Files.writeString(tokenizer, text.replace("<|im_start|>", "<|im_begin|>"));
    assertRefused(command, "@model", "@model/tokenizer.json", "<|im_start|>");
    Files.writeString(tokenizer, "{}");
    assertRefused(command, "@model", "@model/tokenizer.json");
    Files.delete(tokenizer);
    assertRefused(command, "@model", "@model/tokenizer.json", "it is not there");
    Files.writeString(tokenizer, text);
    Path weights = scratch.resolve("model/model.safetensors");
    byte[] good = Files.readAllBytes(weights);
    Files.write(weights, Arrays.copyOf(good, good.length - 100));
    assertRefused(command, "@model", "@model/model.safetensors");
    Files.delete(weights);
    assertRefused(command, "@model", "@model");
    Files.write(weights, good);
    Path config = scratch.resolve("model/config.json");
    String shape = Files.readString(config);
    Files.writeString(config, shape.replace("\"qwen3\"", "\"llama\""));
    assertRefused(command, "@model", "@model/config.json", "llama");
  }

  @Test
  void a_checkpoint_with_other_bytes_than_its_manifest_says_is_refused_at_the_start()
      throws IOException {
    Told begun = told("sft --data @data.jsonl --model @model --out @run --steps 1 --quiet");
    assertEquals(0, begun.code(), begun.err());
    Path weights = scratch.resolve("run/checkpoints/step-000001/model.safetensors");
    byte[] bytes = Files.readAllBytes(weights);
    bytes[bytes.length - 1] ^= 1;
    Files.write(weights, bytes);
    for (String command : List.of("ask lamp", "serve --port 0", "mcp")) {
      assertRefused(
          command, "@run/checkpoints/step-000001", "differs from its checksum",
          "take an earlier one");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ask lamp", "serve --port 0", "mcp"})
  void a_context_that_no_episode_fits_into_is_refused_at_the_start(String command)
      throws IOException {
    TinyModel.write(scratch.resolve("short"), shape(512));
    assertRefused(
        command, "@short", "@short: the shortest prompt of the stage plan has ", " tokens, the",
        "and the context is 512 tokens (max_position_embeddings", "take a model with a longer one");
    Files.writeString(scratch.resolve("own.conf"), "rubricem.generation.context = 700");
    assertRefused(
        command + " --config @own.conf", "@model", "has ",
        " 700 tokens (rubricem.generation.context)",
        "raise that limit");
  }

  @Test
  void a_context_is_enough_to_the_token_and_one_less_is_not() throws IOException {
    assertRefused("ask lamp --config " + context(2000), "@model", "of the stage plan has");
    int[] numbers = numbers(2000);
    assertRefused(
        "ask lamp --config " + context(numbers[0] + numbers[1] - 1), "@model", "stage plan has");
    int[] answering = numbers(numbers[0] + numbers[1]);
    assertTrue(answering[0] > numbers[0] + numbers[1], "what was said stands in the next prompt");
    int all = answering[0] + answering[1];
    assertRefused("ask lamp --config " + context(all - 1), "@model", "stage answer has");
    Told enough = told("doctor --data-dir @data --policy local:@model --config " + context(all));
    assertFalse(enough.err().contains("shortest"), enough.err());
    Told less = told("doctor --data-dir @data --policy local:@model --config " + context(all - 1));
    assertEquals(1, less.code(), less.err());
  }

  private String context(int tokens) throws IOException {
    Files.writeString(scratch.resolve("own.conf"), "rubricem.generation.context = " + tokens);
    return "@own.conf";
  }

  /** The prompt and the answer that a refusal names. */
  private int[] numbers(int context) throws IOException {
    String said =
        told("ask lamp --corpus @corpus --data-dir @data --policy local:@model --config "
                + context(context))
            .err();
    return Pattern.compile("has (\\d+) tokens, the shortest answer to it (\\d+),").matcher(said)
        .results().flatMap(r -> Stream.of(r.group(1), r.group(2)))
        .mapToInt(Integer::parseInt).toArray();
  }
}
