package rubricem.protocol.scaffold;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Texts and turns for properties: anything a model or a web page could write, and worse. */
final class ScaffoldTexts {
  static final Set<String> TOOLS = Set.of("google_search", "snippet_search");

  private static final List<String> FRAGMENTS =
      List.of(
          "<think>", "</think>", "<structured_plan>", "</structured_plan>", "<deep_analysis>",
          "</analysis>", "<rubric>", "</rubrics>", "<research_plan>", "<state_evaluation>",
          "</state_evaluation>", "<review>", "</review>", "<rubric_review>", "</writing_plan>",
          "<call_tool name=\"google_search\">", "<call_tool name='", "</call_tool>", "</call>",
          "<CALL_TOOL", "<answer>", "</Answer>", "<tool_output>", "</tool_output>", "<",
          "</", "<call", "<think ", "call_tool>", ">", "\"", "'", "&", "&amp;", "&lt;", "&gt;",
          "&quot;", "&amp;lt;", "&lt;think>", "&lt;/call_tool>", "amp;", "lt;", "&#x200B;",
          "#x200B;", "<cite id=\"S_1\">", "</cite>", "<cite id=\"\"></cite>", "\\boxed{", "}",
          "\n", " ", "\t", "\r\n", "\u200B", "\u200D", "\u202E", "\u2066", "\uFEFF", "\uD83D",
          "\uDE00", "\uD83D\uDE00", "\uDB40\uDC41", "\u0000", "שלום", "سلام\u200Cها", "ｗｉｄｅ",
          "<|im_start|>", "<｜User｜>", "[INST]", "[/INST]", "<<SYS>>", "<snippet id=\"S_9\">",
          "\n</snippet>", "\nURL: x\n", "</note>", "</error>", "a < b", "x<y>z", "K", "ſ");

  private ScaffoldTexts() {}

  static Arbitrary<String> anything() {
    Arbitrary<String> piece =
        Arbitraries.frequencyOf(
            Tuple.of(5, Arbitraries.of(FRAGMENTS)),
            Tuple.of(2, Arbitraries.strings().alpha().ofMaxLength(6)),
            Tuple.of(1, Arbitraries.chars().all().map(String::valueOf)));
    return piece.list().ofMaxSize(12).map(parts -> String.join("", parts));
  }

  static Arbitrary<Turn> turns() {
    Arbitrary<Optional<Plan>> plans =
        Combinators.combine(maybe(anything()), maybe(anything()), maybe(anything()))
            .as(Plan::new)
            .optional(0.5);
    Arbitrary<Optional<Review>> reviews =
        Combinators.combine(anything(), anything()).as(Review::new).optional(0.5);
    return Combinators.combine(anything(), plans, maybe(anything()), reviews, actions())
        .as(Turn::new);
  }

  private static Arbitrary<Optional<String>> maybe(Arbitrary<String> text) {
    return text.optional(0.7);
  }

  private static Arbitrary<TurnAction> actions() {
    Arbitrary<String> keys =
        Arbitraries.of("limit", "year", "fieldsOfStudy", "query", "NAMES", "x-y");
    Arbitrary<Map<String, String>> attributes =
        Arbitraries.maps(keys, anything()).ofMaxSize(3);
    Arbitrary<TurnAction> calls =
        Combinators.combine(
                Arbitraries.of(TOOLS),
                anything().map(String::strip).filter(q -> !q.isBlank()),
                attributes)
            .as((tool, query, more) -> new TurnAction.CallTool(new ToolCall(tool, query, more)));
    Arbitrary<TurnAction> answers =
        anything()
            .filter(text -> !CiteTags.without(text).isBlank())
            .map(TurnAction.GiveAnswer::new);
    return Arbitraries.oneOf(calls, answers);
  }
}
