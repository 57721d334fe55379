package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.app.node.StageCredit;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.verify.Check;
import rubricem.gpu.verify.Verification;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.protocol.learning.Credit;
import rubricem.testkit.Shared;

/** The learner against the handed numbers, and that a fault in either is seen. */
class VerifyLearnerTest {
  private static final Path GOLDEN = Shared.golden("README.md").getParent();

  @TempDir Path scratch;

  private final List<String> notes = new ArrayList<>();

  private List<Check> verify(Path folder) throws IOException {
    List<Check> checks = new ArrayList<>();
    Verification.run(
        folder, DeviceName.parse("cpu"), new StageCredit(Credit.PAPER),
        Files.createTempDirectory(scratch, "scratch-"), System::nanoTime, checks::add, notes::add,
        () -> false);
    return checks;
  }

  private static List<Check> failed(List<Check> checks) {
    return checks.stream().filter(c -> !c.ok()).toList();
  }

  private Path copy(String... parts) throws IOException {
    Path copy = Files.createTempDirectory(scratch, "copy-");
    for (String part : parts) {
      Path from = GOLDEN.resolve(part);
      try (Stream<Path> all = Files.walk(from)) {
        for (Path file : all.toList()) {
          Path to = copy.resolve(part).resolve(from.relativize(file).toString());
          if (Files.isDirectory(file)) {
            Files.createDirectories(to);
          } else {
            Files.copy(file, Files.isDirectory(from) ? to : copy.resolve(part));
          }
        }
      }
    }
    return copy;
  }

  @Test
  void every_handed_number_is_met() throws IOException {
    List<Check> checks = verify(GOLDEN);
    assertEquals(List.of(), failed(checks));
    Set<String> cases =
        checks.stream().map(c -> c.name().replaceFirst("/.*", "")).collect(Collectors.toSet());
    assertEquals(
        new TreeSet<>(
            List.of(
                "qwen3-tied", "qwen3-tied-lora", "qwen3-tied-reference-policy",
                "qwen3-untied-sharded-bf16", "qwen3-tied.forward",
                "qwen3-untied-sharded-bf16.forward", "sft", "ssgrpo", "lora", "kl", "tokenizer",
                "chat_template", "flat_search")),
        new TreeSet<>(cases));
    JsonNode variants = Shared.goldenJson("ssgrpo.json").get("variants");
    for (String variant : (Iterable<String>) variants::fieldNames) {
      long quantities = checks.stream().filter(c -> c.name().equals("ssgrpo/" + variant)).count();
      assertEquals(2 * (variant.equals("token_mean") ? 7 : 6), quantities, variant);
    }
    assertTrue(checks.stream().anyMatch(c -> c.quantity().equals("weights_of_1_in_10000")));
    // only frequencies rounded to bfloat16 meet these numbers, and that has to be said
    List<Check> narrow =
        checks.stream().filter(c -> c.details().containsKey("rotary")).toList();
    assertFalse(narrow.isEmpty());
    assertTrue(narrow.stream().allMatch(c -> c.name().startsWith("qwen3-untied-sharded-bf16")));
    assertTrue(notes.stream().anyMatch(n -> n.startsWith("qwen3-untied-sharded-bf16.forward")));
  }

  private static void changeOneWeight(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
      long at = channel.size() - 4;
      channel.read(one, at);
      one.putFloat(0, one.getFloat(0) + 0.5f).rewind();
      channel.write(one, at);
    }
  }

  @Test
  void one_changed_weight_is_seen() throws IOException {
    Path copy = copy("qwen3-tied", "qwen3-tied.forward.json", "sft.json");
    changeOneWeight(copy.resolve("qwen3-tied/model.safetensors"));
    List<String> seen = failed(verify(copy)).stream().map(Check::quantity).toList();
    assertTrue(
        seen.containsAll(List.of("last_logits", "next_token_logprobs", "loss", "grad_norms")),
        seen::toString);
  }

  private static void changeOneNumber(Path file, String... path) throws IOException {
    ObjectMapper json = new ObjectMapper();
    JsonNode root = json.readTree(file.toFile());
    JsonNode at = root;
    for (int i = 0; i < path.length - 1; i++) {
      at = at.isArray() ? at.get(Integer.parseInt(path[i])) : at.get(path[i]);
    }
    String last = path[path.length - 1];
    if (at instanceof com.fasterxml.jackson.databind.node.ArrayNode list) {
      int index = Integer.parseInt(last);
      list.set(index, list.numberNode(list.get(index).asDouble() + 2e-3));
    } else {
      com.fasterxml.jackson.databind.node.ObjectNode object =
          (com.fasterxml.jackson.databind.node.ObjectNode) at;
      object.put(last, object.get(last).asDouble() * 1.001);
    }
    json.writeValue(file.toFile(), root);
  }

  @Test
  void one_changed_number_is_seen_and_named() throws IOException {
    Path copy = copy("qwen3-tied", "qwen3-tied.forward.json",
        "qwen3-tied-reference-policy", "ssgrpo.json", "ssgrpo.after_adamw.safetensors",
        "ssgrpo.token_mean.gradients.safetensors", "kl.json",
        "flat_search.json", "flat_search.safetensors");
    changeOneNumber(copy.resolve("ssgrpo.json"), "variants", "sequence_mean", "loss");
    changeOneNumber(
        copy.resolve("ssgrpo.json"), "variants", "cispo_token_mean", "grad_norms",
        "model.layers.1.self_attn.q_norm.weight");
    changeOneNumber(
        copy.resolve("ssgrpo.json"), "groups", "1", "rollouts", "2", "policy_logprobs", "5");
    changeOneNumber(copy.resolve("kl.json"), "per_outcome", "k2", "0");
    changeOneNumber(copy.resolve("flat_search.json"), "scores", "3", "1");
    List<Check> failed = failed(verify(copy));
    assertEquals(
        Set.of(
            "ssgrpo/sequence_mean loss", "ssgrpo/cispo_token_mean grad_norms",
            "ssgrpo policy_logprobs", "kl k2_per_outcome", "flat_search/3 scores"),
        failed.stream().map(c -> c.name() + " " + c.quantity()).collect(Collectors.toSet()));
    assertTrue(
        failed.stream()
            .filter(c -> c.quantity().equals("grad_norms"))
            .allMatch(
                c -> "model.layers.1.self_attn.q_norm.weight".equals(c.details().get("worst"))));
  }

  private void assertProblem(List<Check> checks, String name, String part) {
    assertTrue(
        checks.stream()
            .anyMatch(
                c ->
                    !c.ok() && c.name().equals(name)
                        && c.details().getOrDefault("problem", "").contains(part)),
        () -> name + ": " + part + " in " + failed(checks));
  }

  @Test
  void what_has_no_counterpart_is_a_failure() throws IOException {
    Path copy = copy("qwen3-tied-reference-policy", "qwen3-tied.forward.json", "ssgrpo.json",
        "lora.json", "flat_search.json", "tokenizer.json");
    Files.copy(
        GOLDEN.resolve("ssgrpo.after_adamw.safetensors"),
        copy.resolve("step2.after_adamw.safetensors"));
    Files.writeString(copy.resolve("sft.json"), "{\"rows\":");
    List<Check> checks = verify(copy);
    assertProblem(checks, "qwen3-tied.forward", "the model folder qwen3-tied is missing");
    assertProblem(checks, "ssgrpo", "no model folder");
    assertProblem(checks, "lora", "adapter folder it belongs to is missing");
    assertProblem(checks, "flat_search", "flat_search.safetensors is missing");
    assertProblem(checks, "tokenizer", "tokenizer.json it belongs to is missing");
    assertProblem(checks, "step2.after_adamw", "JSON file");
    assertProblem(checks, "sft", "no valid JSON");
  }

  @Test
  void an_option_that_is_not_known_fails_by_its_name_and_leaves_the_others_alone()
      throws IOException {
    Path copy = copy("qwen3-tied", "qwen3-tied.forward.json", "ssgrpo.json",
        "ssgrpo.after_adamw.safetensors", "ssgrpo.token_mean.gradients.safetensors");
    Path file = copy.resolve("ssgrpo.json");
    String text = Files.readString(file);
    Files.writeString(
        file,
        text.replaceFirst("\"tis_cap\"", "\"sequence_tis_cap\"")
            .replaceFirst("\"objective\": *\"cispo\"", "\"objective\": \"sapo\""));
    List<Check> checks = verify(copy);
    assertProblem(checks, "ssgrpo/token_mean_tis", "[sequence_tis_cap]");
    assertProblem(checks, "ssgrpo/cispo_token_mean", "objective = sapo");
    assertProblem(checks, "ssgrpo", "qwen3-tied-reference-policy");
    assertEquals(
        Set.of("ssgrpo/token_mean_tis", "ssgrpo/cispo_token_mean", "ssgrpo"),
        failed(checks).stream().map(Check::name).collect(Collectors.toSet()));
  }

  @Test
  void other_names_of_folders_and_cases_are_found_by_what_they_hold() throws IOException {
    Path copy = copy("qwen3-tied", "qwen3-tied.forward.json", "sft.json", "kl.json");
    Files.move(copy.resolve("qwen3-tied"), copy.resolve("small"));
    Files.move(copy.resolve("qwen3-tied.forward.json"), copy.resolve("small.forward.json"));
    Files.move(copy.resolve("sft.json"), copy.resolve("imitation.json"));
    Files.move(copy.resolve("kl.json"), copy.resolve("two-distributions.json"));
    Files.writeString(copy.resolve("notes.txt"), "?");
    Files.writeString(copy.resolve("other.json"), "{\"a\": 1}");
    List<Check> checks = verify(copy);
    assertEquals(List.of(), failed(checks));
    assertEquals(
        Set.of("small", "small.forward", "imitation", "two-distributions"),
        checks.stream().map(c -> c.name().replaceFirst("/.*", "")).collect(Collectors.toSet()));
    assertEquals(
        List.of(
            "notes.txt: not known here and not checked",
            "other.json: not known here and not checked"),
        notes.stream().filter(n -> n.contains("not checked")).toList());
  }

  @Test
  void a_folder_with_nothing_to_check_is_refused() throws IOException {
    Path empty = Files.createTempDirectory(scratch, "empty-");
    org.junit.jupiter.api.Assertions.assertThrows(
        UnusableFolderException.class, () -> verify(empty));
    assertEquals(
        Failure.USAGE, Rubricem.run(new String[] {"verify-learner", empty.toString()}));
    assertEquals(
        Failure.USAGE,
        Rubricem.run(new String[] {"verify-learner", GOLDEN.toString(), "--device", "tpu"}));
  }
}
