package rubricem.http.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A researcher without a model, for people who develop against us: plans and searches in its first
 * turn, then reviews and answers from the snippets it was shown, citing their ids. The same request
 * always gives the same turn. It is no judge of what it reads: it takes the first sentences.
 */
final class FakeResearcher {
  private static final int SNIPPETS_MAX = 3;
  private static final int SENTENCE_MAX = 240;
  private static final int QUERY_WORDS_MAX = 12;
  private static final Pattern SNIPPET =
      Pattern.compile(
          "<(?:snippet|webpage)\\s[^>]*?id\\s*=\\s*[\"']?([\\w.-]+)[\"']?[^>]*>"
              + "(.*?)</(?:snippet|webpage)>",
          Pattern.DOTALL);
  private static final Pattern TOOL_NAME = Pattern.compile("<call_tool name=\"([a-z][\\w-]*)\"");
  private static final Pattern FIELD = Pattern.compile("(?m)^(Title|URL|Source|Date):.*$");

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
    String plan =
        "<structured_plan>\n<deep_analysis>One look-up, little reasoning. The question needs a"
            + " sourced statement.</deep_analysis>\n<rubric>The answer states what the sources say"
            + " and cites them. It claims nothing beyond them.</rubric>\n<research_plan>1. Search for"
            + " the words of the question. 2. Answer from what was found.</research_plan>\n"
            + "</structured_plan>\n";
    String thinking = "Nothing has been searched yet, so I plan and search first.";
    FakeAnswer turn =
        FakeAnswer.text(plan).thinking(thinking, FakeAnswer.ThinkingAs.INLINE);
    if (usesFunctions(request)) {
      String name = request.body().path("tools").path(0).path("function").path("name").asText();
      String arguments =
          JsonNodeFactory.instance.objectNode().put("query", query).toString();
      return turn.calling(new FakeAnswer.FakeToolCall("call00001", name, arguments));
    }
    String call = "<call_tool name=\"" + toolName(request) + "\">" + query + "</call_tool>";
    return FakeAnswer.text(plan + call).thinking(thinking, FakeAnswer.ThinkingAs.INLINE);
  }

  private static boolean usesFunctions(RecordedRequest request) {
    JsonNode tools = request.body().path("tools");
    return tools.isArray() && !tools.isEmpty()
        && !request.body().path("tool_choice").asText().equals("none");
  }

  private static String toolName(RecordedRequest request) {
    List<String> names =
        TOOL_NAME.matcher(String.join("\n", request.texts("system"))).results()
            .map(found -> found.group(1))
            .toList();
    return names.stream().filter(name -> name.contains("search")).findFirst()
        .or(() -> names.stream().findFirst())
        .orElse("corpus_search");
  }

  private static String query(String question) {
    String[] words = question.strip().split("\\R", 2)[0].replaceAll("[<>&]", " ").split("\\s+");
    return String.join(" ", List.of(words).subList(0, Math.min(words.length, QUERY_WORDS_MAX)));
  }

  private static FakeAnswer answered(List<String> outputs, String question) {
    Map<String, String> found = snippets(outputs);
    StringBuilder evidence = new StringBuilder();
    StringBuilder answer = new StringBuilder();
    found.forEach(
        (id, sentence) -> {
          evidence.append(evidence.isEmpty() ? "" : ", ").append(id);
          answer.append(answer.isEmpty() ? "" : " ")
              .append("<cite id=\"").append(id).append("\">").append(sentence).append("</cite>");
        });
    boolean none = found.isEmpty();
    String first = none ? "unknown" : found.values().iterator().next();
    String text = none ? "The search found no evidence for an answer." : answer.toString();
    String shaped = question.contains("\\boxed") ? "\\boxed{" + first + "}" : text;
    return FakeAnswer.text(
            "<state_evaluation>" + (none ? "Nothing was found." : "Found " + evidence + ".")
                + "</state_evaluation>\n<review>\n<rubric_review>"
                + (none ? "No item can be verified." : "The statements are verified by " + evidence + ".")
                + "</rubric_review>\n<writing_plan>State what was found, each statement with its"
                + " source.</writing_plan>\n</review>\n<answer>" + shaped + "</answer>")
        .thinking("I have looked; now I answer.", FakeAnswer.ThinkingAs.INLINE);
  }

  private static Map<String, String> snippets(List<String> outputs) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String output : outputs) {
      Matcher matcher = SNIPPET.matcher(output);
      while (matcher.find() && found.size() < SNIPPETS_MAX) {
        found.putIfAbsent(matcher.group(1), firstSentence(matcher.group(2)));
      }
    }
    found.values().removeIf(String::isBlank);
    return found;
  }

  private static String firstSentence(String snippet) {
    String text =
        FIELD.matcher(snippet).replaceAll("").replaceFirst("(?m)^(Snippet|Text|Content):", "")
            .replaceAll("\\s+", " ").strip();
    Matcher end = Pattern.compile("[.!?。](\\s|$)").matcher(text);
    String sentence = end.find() ? text.substring(0, end.start() + 1) : text;
    return sentence.length() > SENTENCE_MAX ? sentence.substring(0, SENTENCE_MAX) : sentence;
  }
}
