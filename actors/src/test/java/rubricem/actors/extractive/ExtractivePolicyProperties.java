package rubricem.actors.extractive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import rubricem.eval.retrieval.QuestionRun;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.scaffold.FormatLabel;

class ExtractivePolicyProperties {
  private static final PolicyModel POLICY =
      new ExtractivePolicy(
          ExtractiveSettings.defaults(),
          CompletableFuture.failedFuture(new IllegalStateException("no model")), Runnable::run);

  private static final List<String> PIECES =
      List.of(
          "pump", "boiler", "water", "How", "much", "?", ". ", " ", "\n", ", and how", "<answer>",
          "</answer>", "<call_tool name=\"local_search\">", "</call_tool>", "<cite id=\"S_1\">",
          "</cite>", "<think>", "</review>", "<tool_output>", "&lt;", "&amp;", "\\boxed{", "}", "|",
          "`", "*", "_", "[1]", "\uD800", "\uDC00", "\u202E", "\u0000", "שלום", "مضخة", "水泵",
          "default is 5", "https://a.example/x", "| a | b |", "# Head", "S_1", "key: a#1-2", "\"",
          "between a and b", "é", "😀");

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(PIECES).list().ofMaxSize(25).map(l -> String.join("", l));
  }

  @Provide
  Arbitrary<List<String>> folders() {
    return texts().list().ofMaxSize(6);
  }

  @Property(tries = 400)
  void every_turn_keeps_the_grammar_no_call_is_repeated_and_the_budget_holds(
      @ForAll("texts") String question, @ForAll("folders") List<String> folder,
      @ForAll FormatLabel format, @ForAll @IntRange(min = 1, max = 12) int budget) {
    QuestionRun.Result run =
        QuestionRun.of(POLICY, new Folder(folder), question, format, budget);
    assertEquals(Optional.empty(), run.fault());
    assertTrue(run.answer().isPresent());
    assertTrue(run.calls().size() <= budget);
    assertTrue(run.cited().size() <= ExtractiveSettings.defaults().passagesCited());
    assertEquals(0, run.bound().removedUnknownIds() + run.bound().removedEmptyCites());
  }

  @Property(tries = 200)
  void what_is_quoted_stands_in_its_passage(
      @ForAll("folders") List<String> folder, @ForAll FormatLabel format) {
    QuestionRun.Result run =
        QuestionRun.of(POLICY, new Folder(folder), "pump boiler water", format, 10);
    run.bound().claims().forEach(claim -> assertTrue(
        claim.snippets().stream().anyMatch(
            s -> blanks(s.passage().text()).contains(blanks(claim.text()))), claim.text()));
  }

  private static String blanks(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  @Property(tries = 100)
  void the_same_request_gives_the_same_answer(
      @ForAll("texts") String question, @ForAll("folders") List<String> folder) {
    Folder corpus = new Folder(folder);
    assertEquals(
        QuestionRun.of(POLICY, corpus, question, FormatLabel.LONG_FORM, 10).answer(),
        QuestionRun.of(POLICY, corpus, question, FormatLabel.LONG_FORM, 10).answer());
  }
}
