package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.TinyModel;
import rubricem.gpu.weights.ModelFolder;
import rubricem.testkit.Shared;

/**
 * Every command of the learner with one thing wrong: the right exit code, a sentence that names the
 * thing and says what to do, no stack trace, and nothing begun.
 */
class LearnerMistakesTest {
  @TempDir Path scratch;

  @BeforeEach
  void files() throws IOException {
    TinyModel.write(scratch.resolve("model"));
    Files.writeString(scratch.resolve("data.jsonl"), "{\"ids\": [1, 2, 3], \"mask\": [0, 1, 1]}\n");
    Files.writeString(
        scratch.resolve("chats.jsonl"),
        "{\"messages\": [{\"role\": \"user\", \"content\": \"q\"},"
            + " {\"role\": \"assistant\", \"content\": \"a\"}]}\n");
    Files.writeString(scratch.resolve("numbers.json"), "{}");
    Files.createDirectories(scratch.resolve("numbers"));
    Files.copy(Shared.golden("kl.json"), scratch.resolve("numbers/kl.json"));
  }

  private Told told(String words) {
    String[] args = words.split(" ");
    for (int i = 0; i < args.length; i++) {
      if (args[i].startsWith("@")) {
        args[i] = scratch.resolve(args[i].substring(1)).toString();
      }
      if (args[i].startsWith("golden:")) {
        args[i] = Shared.golden(args[i].substring("golden:".length())).toString();
      }
    }
    return Told.by(args);
  }

  private void isRefused(String words, int code, String... parts) throws IOException {
    TreeSet<String> before = names();
    Told told = told(words);
    assertEquals(code, told.code(), words + "\n" + told.err());
    String said = told.err().strip();
    for (String part : parts) {
      assertTrue(said.contains(part.replace("@", scratch + "/")), words + "\n" + said);
    }
    for (String inner : List.of("inside RubricEM", "Exception", "\tat ", "ai.djl", "null")) {
      assertFalse(said.contains(inner), words + "\n" + said);
    }
    assertTrue(said.lines().count() <= 3 && said.length() < 900, words + "\n" + said);
    assertEquals(before, names(), words + " began something");
  }

  private TreeSet<String> names() throws IOException {
    try (Stream<Path> all = Files.walk(scratch)) {
      return all.map(Path::toString).collect(java.util.stream.Collectors.toCollection(TreeSet::new));
    }
  }

  private static final String SFT = "sft --data @data.jsonl --out @run --model ";
  private static final String GENERATE = "generate --ids 1,2,3 --model ";
  private static final String STEP = "train-step golden:ssgrpo.json --model ";
  private static final String EXPORT = "export-script @scripts --model ";

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(SFT + "@gone", "@gone: there is no such folder"),
        Arguments.of(SFT + "@data.jsonl", "@data.jsonl: it is a file"),
        Arguments.of(SFT.replace("data.jsonl", "gone.jsonl") + "@model", "@gone.jsonl"),
        Arguments.of(SFT.replace("data.jsonl", "model") + "@model", "@model"),
        Arguments.of(SFT + "@model --rate NaN", "rate NaN"),
        Arguments.of(SFT + "@model --rate -1", "rate -1"),
        Arguments.of(SFT + "@model --batch -3", "batch -3"),
        Arguments.of(SFT + "@model --lora -1", "adapter.rank"),
        Arguments.of(SFT + "@model --epochs -1", "epochs -1"),
        Arguments.of(SFT + "@model --steps 3 --epochs 2", "give one of them"),
        Arguments.of(SFT + "@model --steps 99999999999999", "100000000 steps"),
        Arguments.of(SFT + "@model --steps 99999999999999999999", "--steps"),
        Arguments.of(SFT + "@model --epochs 2147483647", "epochs 2147483647"),
        Arguments.of(SFT + "@model --batch 2147483647", "batch 2147483647"),
        Arguments.of(SFT + "@model --lora 2147483647", "adapter.rank"),
        Arguments.of(SFT + "@model --checkpoint-every 0", "every 0"),
        Arguments.of(SFT + "@model --rate 1e300", "rate 1.0E300"),
        Arguments.of(SFT.replace("@run", "@model") + "@model", "--out @model is the folder"),
        Arguments.of(SFT.replace("@run", "@model/a/b") + "@model", "in the folder of --model"),
        Arguments.of(SFT + "@model --lora 0", "Leave --lora away"),
        Arguments.of(SFT + "@model --lora=0", "Leave --lora away"),
        Arguments.of(SFT.replace("@run", "@chats.jsonl") + "@model", "@chats.jsonl"),
        Arguments.of(GENERATE + "@gone", "@gone: there is no such folder"),
        Arguments.of(GENERATE + "@data.jsonl", "@data.jsonl: it is a file"),
        Arguments.of(GENERATE + "@model --temperature NaN", "temperature"),
        Arguments.of(GENERATE + "@model --top-p 2", "top-p"),
        Arguments.of(GENERATE + "@model --samples -1", "--samples"),
        Arguments.of(GENERATE + "@model --max-tokens -5", "--max-tokens"),
        Arguments.of(GENERATE + "@model --top-k -1", "top-k"),
        Arguments.of(GENERATE + "@model --temperature 1e400", "temperature"),
        Arguments.of(GENERATE + "@model --samples 2147483647", "--samples"),
        Arguments.of("generate --ids 1,-9 --model @model", "-9"),
        Arguments.of(STEP + "@model --policy-version -1", "the learner is at -1"),
        Arguments.of("generate --ids 1,9999 --model @model", "9999"),
        Arguments.of("generate --prompt-file @gone.txt --model @model", "@gone.txt"),
        Arguments.of(STEP + "@gone", "@gone: there is no such folder"),
        Arguments.of(STEP + "@data.jsonl", "@data.jsonl: it is a file"),
        Arguments.of(STEP + "@model --learning-rate NaN", "--learning-rate"),
        Arguments.of(STEP + "@model --adapter golden:qwen3-tied-lora", "adapter"),
        Arguments.of(STEP + "@model --adapter @gone", "@gone"),
        Arguments.of("train-step @gone.jsonl --model @model", "@gone.jsonl: there is no such file"),
        Arguments.of("train-step @data.jsonl --model @model", "line 1"),
        Arguments.of("train-step @model --model @model", "@model: it is a folder"),
        Arguments.of(STEP + "golden:qwen3-tied --out @model", "@model: it is there already"),
        Arguments.of(STEP + "golden:qwen3-tied --out @data.jsonl", "@data.jsonl: it is a file"),
        Arguments.of(EXPORT + "@gone", "@gone: there is no such folder"),
        Arguments.of(EXPORT + "@data.jsonl", "@data.jsonl: it is a file"),
        Arguments.of("export-script @model", "@model: it is there already"),
        Arguments.of("export-script @data.jsonl", "@data.jsonl: it is a file"),
        Arguments.of("verify-learner @gone", "@gone: there is no such folder"),
        Arguments.of("verify-learner @numbers.json", "@numbers.json: it is a file"),
        Arguments.of("verify-learner @run", "@run: there is no such folder"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void a_wrong_word_is_wrong_usage_and_named(String words, String part) throws IOException {
    isRefused(words, Failure.USAGE, part);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    SFT + "@model", GENERATE + "@model", STEP + "@model", "verify-learner @numbers",
    EXPORT + "@model"
  })
  void a_gpu_that_is_not_there_is_said_at_the_start_with_what_to_do(String words)
      throws IOException {
    if (words.startsWith("export-script")) {
      isRefused(words + " --device cuda:0", Failure.USAGE, "--device");
      return;
    }
    isRefused(
        words + " --device cuda:0", Failure.USAGE, "The device cuda:0 is not there",
        "profile gpu", "nvidia-smi", "device cpu");
    isRefused(words + " --device gpu", Failure.USAGE, "\"gpu\"", "cuda:0");
  }

  @ParameterizedTest
  @ValueSource(strings = {SFT, GENERATE, STEP, EXPORT})
  void weights_that_cannot_be_used_are_named_with_their_file(String command) throws IOException {
    Path weights = scratch.resolve("model/model.safetensors");
    byte[] good = Files.readAllBytes(weights);
    byte[] header = good.clone();
    header[2] = 77;
    Files.write(weights, header);
    isRefused(command + "@model", Failure.USAGE, "@model/model.safetensors");
    byte[] garbled = good.clone();
    garbled[9] = '#';
    Files.write(weights, garbled);
    isRefused(command + "@model", Failure.USAGE, "@model/model.safetensors");
    Files.write(weights, java.util.Arrays.copyOf(good, good.length - 100));
    isRefused(command + "@model", Failure.USAGE, "@model/model.safetensors");
    String text = new String(good, StandardCharsets.ISO_8859_1);
    Files.write(
        weights, text.replaceFirst("\"F32\"", "\"I32\"").getBytes(StandardCharsets.ISO_8859_1));
    isRefused(command + "@model", Failure.USAGE, "@model: ", "I32");
    Files.delete(weights);
    isRefused(command + "@model", Failure.USAGE, "@model");
    Files.write(weights, good);
    Files.writeString(scratch.resolve("model/config.json"), "{\"model_type\": \"llama\"}");
    isRefused(command + "@model", Failure.USAGE, "@model/config.json");
  }

  @ParameterizedTest
  @ValueSource(strings = {SFT, GENERATE, STEP, EXPORT})
  void a_shard_that_was_cut_is_named(String command) throws IOException {
    Path folder = Files.createDirectory(scratch.resolve("sharded"));
    Path shard = null;
    try (Stream<Path> files = Files.list(Shared.golden("qwen3-untied-sharded-bf16"))) {
      for (Path file : files.sorted().toList()) {
        Path copy = folder.resolve(file.getFileName().toString());
        Files.write(copy, Files.readAllBytes(file));
        shard = copy.toString().endsWith(".safetensors") ? copy : shard;
      }
    }
    byte[] bytes = Files.readAllBytes(shard);
    Files.write(shard, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    isRefused(command + "@sharded", Failure.USAGE, shard.toString());
    Files.delete(shard);
    isRefused(command + "@sharded", Failure.USAGE, shard.getFileName().toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sft --data @data.jsonl --model @models/m --out",
        "train-step @batch.json --model @models/m --out",
        "train-step @batch.json --model @model --adapter @models/m --out",
        "train-step @batch.json --model @model --reference @models/m --out",
        "export-script --model @models/m",
      })
  void nothing_is_written_into_or_around_a_folder_that_is_read(String command)
      throws IOException {
    Files.copy(Shared.golden("ssgrpo.json"), scratch.resolve("batch.json"));
    TinyModel.write(scratch.resolve("models/m"));
    Files.createSymbolicLink(scratch.resolve("link"), scratch.resolve("models/m"));
    String reading =
        command.contains("--adapter") ? "--adapter"
            : command.contains("--reference") ? "--reference" : "--model";
    for (String[] place :
        List.of(
            new String[] {"models/m", " is the folder of "},
            new String[] {"models/m/", " is the folder of "},
            new String[] {"link", " is the folder of "},
            new String[] {"models/m/step", " is in the folder of "},
            new String[] {"models/x/../m/a/b", " is in the folder of "},
            new String[] {"link/new", " is in the folder of "},
            new String[] {"models", " holds the folder of "},
            new String[] {"models/../models", " holds the folder of "})) {
      isRefused(
          command + " @" + place[0], Failure.USAGE, place[1] + reading + ", which is only read",
          "name a folder outside it");
    }
    isRefused(command + " @.", Failure.USAGE, " holds the folder of --model, which is only read");
    Files.createDirectories(scratch.resolve("run/checkpoints"));
    Files.writeString(scratch.resolve("run/config.conf"), "");
    isRefused(
        command + " @run/checkpoints/step-000001", Failure.USAGE, " is among the checkpoints of",
        "name a folder outside it");
  }

  @Test
  void a_tokenizer_without_the_marks_of_a_conversation_is_refused_where_it_needs_them()
      throws IOException {
    Path tokenizer = scratch.resolve("model").resolve(ModelFolder.TOKENIZER);
    Files.writeString(
        tokenizer, Files.readString(tokenizer).replace("<|im_start|>", "<|im_begin|>"));
    String[] parts = {"@model/tokenizer.json", "<|im_start|>"};
    isRefused("generate --prompt hello --model @model", Failure.USAGE, parts);
    isRefused(
        SFT.replace("data.jsonl", "chats.jsonl") + "@model", Failure.WORK_FAILED, parts);
    Files.writeString(tokenizer, "{\"model\": {}}");
    isRefused("generate --prompt hello --model @model", Failure.USAGE, "@model/tokenizer.json");
    Files.delete(tokenizer);
    isRefused("generate --prompt hello --model @model", Failure.USAGE, "tokenizer.json");
    isRefused(
        SFT.replace("data.jsonl", "chats.jsonl") + "@model", Failure.WORK_FAILED,
        "tokenizer.json");
  }

  @Test
  void data_that_cannot_be_trained_on_are_named_with_their_line() throws IOException {
    Path data = scratch.resolve("data.jsonl");
    String good = "{\"ids\": [1, 2, 3], \"mask\": [0, 1, 1]}\n";
    Files.writeString(data, good + "{\"ids\": [1, 2\n" + good);
    isRefused(SFT + "@model", Failure.WORK_FAILED, "@data.jsonl", "line 2");
    Files.writeString(data, good + "{\"text\": \"a\"}\n");
    isRefused(SFT + "@model", Failure.WORK_FAILED, "line 2", "messages");
    Files.writeString(
        data, good + "\n{\"instruction\": \"i\", \"output\": \"o\"}\n");
    isRefused(SFT + "@model", Failure.WORK_FAILED, "line 3", "Alpaca", "{\"messages\": [");
    String long20 = "x".repeat(20_000_001);
    Files.writeString(
        data,
        good + "{\"messages\": [{\"role\": \"user\", \"content\": \"" + long20 + "\"}]}\n");
    isRefused(SFT + "@model", Failure.WORK_FAILED, "line 2 is beyond what is read", "20000000");
    Files.writeString(data, "[\n" + good + "]\n");
    isRefused(SFT + "@model", Failure.WORK_FAILED, "line 1", "spread over several");
    Files.writeString(data, "{\"ids\": [1, 2, 3], \"mask\": [0, 0, 0]}\n");
    isRefused(SFT + "@model", Failure.WORK_FAILED, "No record", "nothing_to_train 1");
    Files.writeString(data, "");
    isRefused(SFT + "@model", Failure.WORK_FAILED, "@data.jsonl");
    Files.write(data, new byte[] {(byte) 0xff, (byte) 0xfe, 10});
    isRefused(SFT + "@model", Failure.WORK_FAILED, "@data.jsonl");
  }

  @Test
  void epochs_over_many_records_are_no_more_than_a_run_has_steps() throws IOException {
    String good = "{\"ids\": [1, 2, 3], \"mask\": [0, 1, 1]}\n";
    Files.writeString(scratch.resolve("data.jsonl"), good.repeat(101));
    isRefused(
        SFT + "@model --batch 1 --epochs 1000000", Failure.USAGE, "101000000", "100000000 steps");
  }

  @ParameterizedTest
  @ValueSource(strings = {"checkpoints/step-000050/model.safetensors", "metrics.jsonl"})
  void what_another_run_left_is_neither_gone_on_with_nor_dropped(String left)
      throws IOException {
    Path file = scratch.resolve("run").resolve(left);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "{\"step\": 50}\n");
    isRefused(
        SFT + "@model", Failure.WORK_FAILED, "@run holds " + left.split("/")[0],
        "name another folder");
    assertEquals("{\"step\": 50}\n", Files.readString(file));
  }

  @Test
  void a_file_with_marks_and_ends_of_other_systems_is_read() throws IOException {
    String row = "{\"ids\": [1, 2, 3], \"mask\": [0, 1, 1]}";
    Files.writeString(scratch.resolve("data.jsonl"), "\uFEFF" + row + "\r\n\r\n" + row + "\r\n");
    Told told = told(SFT + "@model --steps 1 --quiet");
    assertEquals(0, told.code(), told.err());
  }

  @Test
  void a_record_longer_than_the_model_was_made_for_is_left_out_and_counted() throws IOException {
    String ids = "1, ".repeat(TinyModel.SHAPE.maxPositions()) + "1";
    Files.writeString(
        scratch.resolve("data.jsonl"),
        "{\"ids\": [" + ids + "], \"mask\": [" + ids + "]}\n");
    isRefused(SFT + "@model", Failure.WORK_FAILED, "No record", "too_long 1");
  }

  @Test
  void a_rollout_that_the_model_has_no_numbers_for_is_named() throws IOException {
    String batch = Files.readString(Shared.golden("ssgrpo.json"));
    Files.writeString(
        scratch.resolve("batch.json"),
        batch.replaceFirst("\"response_ids\":\\s*\\[\\s*\\d+", "\"response_ids\": [999"));
    String step = "train-step @batch.json --model @model";
    isRefused(step, Failure.USAGE, "tokens 0 to 384", "holds 999");
    Files.writeString(
        scratch.resolve("batch.json"),
        batch.replaceFirst("\"prompt_ids\":\\s*\\[", "\"prompt_ids\": [" + "1, ".repeat(600)));
    isRefused(step, Failure.USAGE, "its context is 512 tokens");
  }

  @Test
  void a_run_whose_every_step_is_skipped_has_failed_and_has_no_loss() throws IOException {
    Path weights = scratch.resolve("model/model.safetensors");
    byte[] bytes = Files.readAllBytes(weights);
    bytes[bytes.length - 1] = 0x7f;
    bytes[bytes.length - 2] = (byte) 0xc0;
    Files.write(weights, bytes);
    Told told = told(SFT + "@model --steps 2");
    assertEquals(Failure.WORK_FAILED, told.code(), told.err());
    assertTrue(told.err().contains("Every step was skipped"), told.err());
    for (String line : Files.readAllLines(scratch.resolve("run/metrics.jsonl"))) {
      assertTrue(line.contains("\"loss\":null"), line);
    }
  }

  @Test
  void scaled_positions_are_refused_with_something_that_can_be_done() throws IOException {
    Path config = scratch.resolve("model/config.json");
    String text = Files.readString(config);
    Files.writeString(
        config,
        text.replaceFirst(
            "\"rope_scaling\"\\s*:\\s*null",
            "\"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 4}"));
    isRefused(
        GENERATE + "@model", Failure.USAGE, "rope_scaling.rope_type", "yarn",
        "take a model whose positions are not scaled");
    assertFalse(told(GENERATE + "@model").err().contains("remove"));
  }

  @Test
  void a_prompt_beyond_the_context_is_told_which_key_sets_it() throws IOException {
    String ids = "5,".repeat(600) + "5";
    isRefused(
        "generate --ids " + ids + " --model @model", Failure.USAGE,
        "512 tokens (max_position_embeddings");
    Files.writeString(scratch.resolve("small.conf"), "rubricem.generation.context = 64\n");
    isRefused(
        "generate --ids " + ids + " --model @model --config @small.conf", Failure.USAGE,
        "64 tokens (rubricem.generation.context)");
  }

  @Test
  void an_adapter_of_another_base_is_refused() throws IOException {
    Path adapter = Files.createDirectory(scratch.resolve("adapter"));
    Path source = Shared.golden("qwen3-tied-lora");
    Files.write(
        adapter.resolve("adapter_model.safetensors"),
        Files.readAllBytes(source.resolve("adapter_model.safetensors")));
    String config = Files.readString(source.resolve("adapter_config.json"));
    String pattern = "\"base_model_name_or_path\"\\s*:\\s*(\"[^\"]*\"|null)";
    Path file = adapter.resolve("adapter_config.json");
    Files.writeString(
        file, config.replaceAll(pattern, "\"base_model_name_or_path\": \"../model\""));
    isRefused(GENERATE + "@adapter", Failure.USAGE, "does not fit the base model");
    Files.writeString(
        file, config.replaceAll(pattern, "\"base_model_name_or_path\": \"../gone\""));
    isRefused(GENERATE + "@adapter", Failure.USAGE, "@gone", "adapter_config.json");
    Files.writeString(file, config.replaceAll(pattern, "\"base_model_name_or_path\": \"\""));
    isRefused(GENERATE + "@adapter", Failure.USAGE, "names no base model");
    isRefused(SFT + "@adapter", Failure.USAGE, "an adapter; name its base model");
  }
}
