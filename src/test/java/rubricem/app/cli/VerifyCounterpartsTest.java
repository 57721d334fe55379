package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.app.node.StageCredit;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.verify.Check;
import rubricem.gpu.verify.Verification;
import rubricem.protocol.learning.Credit;
import rubricem.testkit.Shared;

/** Reference numbers of which something went missing: that is a failure, or at least it is said. */
class VerifyCounterpartsTest {
  private static final Path GOLDEN = Shared.golden("README.md").getParent();
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path scratch;

  private final List<String> notes = new ArrayList<>();

  /** What failed, by case and quantity, and why. */
  private TreeMap<String, String> failed() throws IOException {
    List<Check> checks = new ArrayList<>();
    Verification.run(
        scratch.resolve("numbers"), DeviceName.parse("cpu"), new StageCredit(Credit.PAPER),
        Files.createTempDirectory(scratch, "scratch-"), System::nanoTime, checks::add, notes::add,
        () -> false);
    TreeMap<String, String> out = new TreeMap<>();
    checks.stream()
        .filter(c -> !c.ok())
        .forEach(
            c ->
                out.put(
                    c.name() + " " + c.quantity(), c.details().getOrDefault("problem", "")));
    return out;
  }

  private void copy(String... parts) throws IOException {
    for (String part : parts) {
      Path from = GOLDEN.resolve(part);
      try (Stream<Path> all = Files.walk(from)) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          Path to = scratch.resolve("numbers").resolve(GOLDEN.relativize(file).toString());
          Files.createDirectories(to.getParent());
          Files.write(to, Files.readAllBytes(file));
        }
      }
    }
  }

  private void change(String file, Consumer<ObjectNode> change) throws IOException {
    Path path = scratch.resolve("numbers").resolve(file);
    JsonNode root = JSON.readTree(path.toFile());
    change.accept((ObjectNode) root);
    JSON.writeValue(path.toFile(), root);
  }

  @ParameterizedTest
  @CsvSource({
    "qwen3-tied, qwen3-tied forward, qwen3-tied.forward.json is missing",
    "qwen3-tied-reference-policy, qwen3-tied-reference-policy forward, ssgrpo.json",
    "qwen3-tied qwen3-tied.forward.json qwen3-tied-lora, qwen3-tied-lora lora, lora.json",
    "tokenizer kl.json, tokenizer tokenizer, tokenizer.json"
  })
  void a_folder_without_its_numbers_has_failed(String parts, String name, String problem)
      throws IOException {
    copy(parts.split(" "));
    TreeMap<String, String> failed = failed();
    assertEquals(List.of(name), List.copyOf(failed.keySet()));
    assertTrue(failed.get(name).contains(problem), failed.toString());
  }

  @Test
  void numbers_that_are_missing_within_a_document_have_failed_or_are_named() throws IOException {
    copy("qwen3-tied", "qwen3-tied.forward.json", "qwen3-tied-reference-policy", "ssgrpo.json");
    change(
        "ssgrpo.json",
        root -> {
          ObjectNode variants = (ObjectNode) root.get("variants");
          variants.retain("token_mean", "sequence_mean");
          ((ObjectNode) variants.get("token_mean")).remove("loss");
          ((ObjectNode) variants.get("sequence_mean")).remove(List.of("grad_norms", "tokens"));
        });
    TreeMap<String, String> failed = failed();
    assertEquals(
        List.of(
            "ssgrpo/after_adamw weights", "ssgrpo/token_mean gradients",
            "ssgrpo/token_mean loss"),
        List.copyOf(failed.keySet()));
    assertTrue(
        failed.get("ssgrpo/after_adamw weights").contains("ssgrpo.after_adamw.safetensors"),
        failed.toString());
    assertTrue(
        notes.contains("ssgrpo/sequence_mean: no tokens, no grad_norms is handed"),
        notes.toString());
    assertTrue(
        failed.get("ssgrpo/token_mean gradients")
            .contains("ssgrpo.token_mean.gradients.safetensors is missing"),
        failed.toString());
    change("ssgrpo.json", root -> root.putNull("gradients"));
    assertEquals(
        List.of("ssgrpo/after_adamw weights", "ssgrpo/token_mean loss"),
        List.copyOf(failed().keySet()), "a folder may say that there is none");
  }

  @Test
  void lists_of_cases_that_are_empty_have_failed() throws IOException {
    copy("qwen3-tied", "qwen3-tied.forward.json", "qwen3-tied-reference-policy", "ssgrpo.json",
        "ssgrpo.after_adamw.safetensors", "sft.json", "qwen3-tied-lora", "lora.json", "tokenizer");
    change("qwen3-tied.forward.json", root -> root.putArray("cases"));
    change("lora.json", root -> root.putArray("cases"));
    change("sft.json", root -> root.putArray("rows"));
    change(
        "ssgrpo.json",
        root -> {
          root.remove("adamw");
          root.putObject("variants");
        });
    Files.delete(scratch.resolve("numbers/ssgrpo.after_adamw.safetensors"));
    Files.writeString(scratch.resolve("numbers/tokenizer.json"), "[]");
    Files.writeString(scratch.resolve("numbers/chat_template.json"), "[]");
    assertEquals(
        List.of(
            "chat_template template", "lora adapter", "qwen3-tied.forward forward",
            "sft supervised", "ssgrpo variants", "tokenizer tokenizer"),
        List.copyOf(failed().keySet()));
  }

  @Test
  void parts_that_are_absent_as_a_whole_are_no_failure_and_named_in_one_line()
      throws IOException {
    copy("kl.json");
    assertEquals(new TreeMap<>(), failed());
    assertEquals(
        List.of(
            "The folder has no document of these parts: forward, sft, ssgrpo, lora, tokenizer,"
                + " chat_template, flat_search"),
        notes);
  }
}
