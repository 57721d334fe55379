package rubricem.http.llm;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import rubricem.protocol.scaffold.ToolCall;

/**
 * The one place where this room writes and reads {@code <call_tool …>} text: writes the canonical
 * form of a call that a server delivered beside the text, and finds the call a stored turn ends
 * with. It judges no turn; that is the scaffold's part.
 */
final class CallText {
  private static final Pattern ATTRIBUTE =
      Pattern.compile("([\\w-]+)\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");

  private CallText() {}

  static String print(ToolCall call) {
    StringBuilder out = new StringBuilder("<call_tool name=\"").append(quoted(call.tool()));
    call.attributes()
        .forEach((name,
            value) -> out.append("\" ").append(name).append("=\"").append(quoted(value)));
    return out.append("\">").append(escaped(call.query())).append("</call_tool>").toString();
  }

  /** @param before the turn's text up to the call */
  record Trailing(String before, ToolCall call) {}

  /** The call that ends {@code turn}, where it ends with one. */
  static Optional<Trailing> atEndOf(String turn) {
    String text = turn.stripTrailing();
    int end = text.endsWith("</call_tool>") ? text.length() - "</call_tool>".length()
        : text.endsWith("</call>") ? text.length() - "</call>".length() : -1;
    int start = end < 0 ? -1 : text.lastIndexOf("<call_tool", end);
    int open = start < 0 ? -1 : text.indexOf('>', start);
    if (open < 0 || open >= end) {
      return Optional.empty();
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    Matcher matcher = ATTRIBUTE.matcher(text.substring(start, open));
    while (matcher.find()) {
      String value = matcher.group(2) != null ? matcher.group(2) : matcher.group(3);
      attributes.putIfAbsent(matcher.group(1), unescaped(value));
    }
    String name = attributes.remove("name");
    if (name == null || name.isBlank()) {
      return Optional.empty();
    }
    String query = unescaped(text.substring(open + 1, end).strip());
    return Optional.of(
        new Trailing(text.substring(0, start), new ToolCall(name, query, attributes)));
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String quoted(String text) {
    return escaped(text).replace("\"", "&quot;");
  }

  private static String unescaped(String text) {
    return text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">")
        .replace("&amp;", "&");
  }
}
