package rubricem.http.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import rubricem.protocol.scaffold.OutsideText;
import rubricem.protocol.scaffold.Plan;
import rubricem.protocol.scaffold.Review;
import rubricem.protocol.scaffold.ScaffoldPrinter;
import rubricem.protocol.scaffold.ToolCall;
import rubricem.protocol.scaffold.ToolOutputText;
import rubricem.protocol.scaffold.Turn;
import rubricem.protocol.scaffold.TurnAction;

/**
 * A researcher without a model, for people who develop against us: plans and searches in its first
 * turn, then reviews and answers from the snippets it was shown, citing their ids. The same request
 * always gives the same turn. It is no judge of what it reads: it takes the first sentences.
 */
final class FakeResearcher {
  private static final int SNIPPETS_MAX = 3;
  private static final int SENTENCE_MAX = 240;
  private static final int QUERY_WORDS_MAX = 12;
  private static final Pattern SENTENCE_END = Pattern.compile("[.!?。](\\s|$)");

  /** A tool as the agent prompt lists it, or as an example calls it. */
  private static final Pattern TOOL_NAME =
      Pattern.compile("(?m)^- `([a-z][\\w-]*)`|<call_tool name=\"([a-z][\\w-]*)\"");

  private FakeResearcher() {}

  static FakeAnswer answer(RecordedRequest request) {
    List<String> asked = request.texts("user");
    String question = asked.isEmpty() ? "" : asked.getFirst();
    List<String> outputs = outputs(request);
    return outputs.isEmpty() ? search(request, question) : answered(outputs, question);
  }

  /** What tools gave back; prompts and questions may talk about tool output without being any. */
  private static List<String> outputs(RecordedRequest request) {
    return Stream.concat(
            request.texts("user").stream().skip(1).filter(t -> t.contains("<tool_output>")),
            request.texts("tool").stream())
        .toList();
  }

  private static FakeAnswer search(RecordedRequest request, String question) {
    String query = query(question);
    boolean functions = usesFunctions(request);
    String tool =
        functions
            ? request.body().path("tools").path(0).path("function").path("name").asText()
            : toolName(request);
    String turn =
        ScaffoldPrinter.print(
            new Turn(
                "Nothing has been searched yet, so I plan and search first.",
                Optional.of(plan()),
                Optional.empty(),
                Optional.empty(),
                new TurnAction.CallTool(new ToolCall(tool, query, Map.of()))));
    if (!functions) {
      return FakeAnswer.text(turn);
    }
    String arguments = JsonNodeFactory.instance.objectNode().put("query", query).toString();
    return FakeAnswer.text(turn.substring(0, turn.lastIndexOf("<call_tool")))
        .calling(new FakeAnswer.FakeToolCall("call00001", tool, arguments));
  }

  private static Plan plan() {
    return new Plan(
        Optional.of("One look-up, little reasoning. The question needs a sourced statement."),
        Optional.of("The answer states what the sources say, cites them and claims no more."),
        Optional.of("1. Search for the words of the question. 2. Answer from what was found."));
  }

  private static boolean usesFunctions(RecordedRequest request) {
    JsonNode tools = request.body().path("tools");
    return tools.isArray() && !tools.isEmpty()
        && !request.body().path("tool_choice").asText().equals("none");
  }

  private static String toolName(RecordedRequest request) {
    List<String> names =
        TOOL_NAME.matcher(String.join("\n", request.texts("system"))).results()
            .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
            .toList();
    return names.stream().filter(name -> name.contains("search")).findFirst()
        .or(() -> names.stream().findFirst())
        .orElse("corpus_search");
  }

  private static String query(String question) {
    String[] words = question.strip().split("\\R", 2)[0].strip().split("\\s+");
    String query =
        String.join(" ", List.of(words).subList(0, Math.min(words.length, QUERY_WORDS_MAX)));
    return query.isEmpty() ? "anything" : query;
  }

  private static FakeAnswer answered(List<String> outputs, String question) {
    Map<String, String> found = firstSentences(outputs);
    boolean none = found.isEmpty();
    String ids = String.join(", ", found.keySet());
    StringBuilder cited = new StringBuilder();
    found.forEach(
        (id, sentence) ->
            cited.append(cited.isEmpty() ? "" : " ")
                .append("<cite id=\"").append(id).append("\">").append(sentence).append("</cite>"));
    String first = none ? "unknown" : found.values().iterator().next();
    String plain = none ? "The search found no evidence for an answer." : cited.toString();
    return FakeAnswer.text(
        ScaffoldPrinter.print(
            new Turn(
                "I have looked; now I answer.",
                Optional.empty(),
                Optional.of(none ? "Nothing was found." : "Found " + ids + "."),
                Optional.of(
                    new Review(
                        none ? "No item can be verified." : "Verified by " + ids + ".",
                        "State what was found, each statement with its source.")),
                new TurnAction.GiveAnswer(
                    question.contains("\\boxed") ? "\\boxed{" + first + "}" : plain))));
  }

  private static Map<String, String> firstSentences(List<String> outputs) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String output : outputs) {
      for (ToolOutputText.ReadSnippet snippet : ToolOutputText.parse(output).snippets()) {
        String sentence = firstSentence(snippet.text());
        if (found.size() < SNIPPETS_MAX && !sentence.isBlank()) {
          found.putIfAbsent(snippet.id(), sentence);
        }
      }
    }
    return found;
  }

  private static String firstSentence(String snippet) {
    String text = snippet.replaceAll("\\s+", " ").strip();
    Matcher end = SENTENCE_END.matcher(text);
    String sentence = end.find() ? text.substring(0, end.start() + 1) : text;
    return OutsideText.escape(
        sentence.length() > SENTENCE_MAX ? sentence.substring(0, SENTENCE_MAX) : sentence);
  }
}
