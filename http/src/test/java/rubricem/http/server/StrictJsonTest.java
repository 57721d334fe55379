package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of JSON that is not taken: what is wrong, where, and which bound was passed. */
class StrictJsonTest {
  private static Problem refused(String text) {
    return assertThrows(Problem.Refusal.class, () -> StrictJson.read(text, "The body")).problem();
  }

  @Test
  void every_fault_has_its_own_words_and_place() {
    Map<String, String> said =
        Map.of(
            "", "The body is empty.",
            "{\n  \"a\": secret}", "The body is not JSON at line 2, column ",
            "{\"a\":1} secret", "The body is not JSON at line 1, column ",
            "{\"a\":1} {\"secret\":2}",
            "The body has something behind its JSON value, at line 1, column ",
            "{\"a\":\"secret", "The body is not JSON at line 1, column ",
            "{\"secret\":1,\n\"secret\":2}",
            "The body has the same name twice in one object, at line 2, column ");
    said.forEach(
        (text, words) -> {
          Problem problem = refused(text);
          assertEquals(Problem.Kind.MALFORMED_JSON, problem.kind(), text);
          assertEquals(words, problem.detail().substring(0, words.length()), problem.detail());
          assertFalse(problem.detail().contains("secret"), problem.detail());
        });
  }

  @Test
  void every_bound_is_named_with_its_limit() {
    Map<String, List<String>> beyond =
        Map.of(
            "[".repeat(65) + "]".repeat(65), List.of("nested too deeply", "64 levels"),
            "[" + "7".repeat(1_001) + "]", List.of("a number that is too long", "1000 characters"),
            "{\"" + "n".repeat(50_001) + "\":1}",
            List.of("a name that is too long", "50000 characters"),
            "[\"" + "s".repeat(20_000_001) + "\"]",
            List.of("a string that is too long", "20000000 characters"));
    beyond.forEach(
        (text, words) -> {
          Problem problem = refused(text);
          assertEquals(Problem.Kind.JSON_BEYOND_LIMIT, problem.kind(), problem.detail());
          words.forEach(
              word -> assertEquals(true, problem.detail().contains(word), problem.detail()));
          assertFalse(problem.detail().contains("777"), problem.detail());
        });
    StrictJson.read("[".repeat(64) + "]".repeat(64), "The body");
    StrictJson.read("[" + "7".repeat(1_000) + "]", "The body");
  }
}
