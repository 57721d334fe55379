package rubricem.protocol.scaffold;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Text from outside (documents, tool replies, judges, reflections) as it may stand in a prompt.
 * {@link #escape} changes only what could be read as structure: the {@code <} before a name of the
 * scaffold, of a citation or of a chat template, chat markers such as {@code <|im_start|>} and
 * {@code [INST]}, characters no reader sees, and {@code &} before what un-escaping would take for
 * one of its own references. Everything else stays as it is, {@code a < b} and other markup too.
 *
 * <p>Hidden characters (see {@link HiddenCharacters}) are shown by number, {@code &#x200B;}, so
 * that the model sees them as a reader would have to and the exact text can be had back. {@link
 * #unescape} is the exact inverse.
 */
public final class OutsideText {
  private static final Set<String> NAMES =
      Set.of(
          "cite", "snippet", "webpage", "note", "error", "tool", "tools", "tool_call",
          "tool_calls", "tool_response", "tool_result", "function", "function_call",
          "function_calls", "function_results", "invoke", "parameter", "system", "sys", "user",
          "assistant", "human", "developer", "instruction", "instructions", "scratchpad",
          "thinking", "reflection", "reflections", "question", "query", "s", "bos", "eos",
          "start_of_turn", "end_of_turn", "im_start", "im_end");

  private static final char WIDE_BAR = '\uFF5C';
  private static final int HEX_MIN = 4;
  private static final int HEX_MAX = 6;

  /** {@code &#x10FFFF;} */
  private static final int NUMBER_MAX = 10;

  private OutsideText() {}

  public static String escape(String text) {
    int plain = plainEnd(text, 0);
    if (plain == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, plain);
    int i = plain;
    while (i < text.length()) {
      int point = text.codePointAt(i);
      if (point == '<' && looksLikeTag(text, i)) {
        out.append("&lt;");
      } else if (point == '&' && referenceEnd(text, i) > i) {
        out.append("&amp;");
      } else if (point == '[' && isInstructionMarker(text, i) || HiddenCharacters.at(text, i)) {
        out.append(number(point));
      } else {
        out.appendCodePoint(point);
      }
      i += Character.charCount(point);
      plain = plainEnd(text, i);
      out.append(text, i, plain);
      i = plain;
    }
    return out.toString();
  }

  /** No text becomes longer than this when it is escaped; found without escaping it. */
  public static long escapedLengthMax(String text) {
    long odd = 0;
    for (int i = plainEnd(text, 0); i < text.length(); i = plainEnd(text, i + 1)) {
      odd++;
    }
    return text.length() + odd * NUMBER_MAX;
  }

  /** Where the stretch ends that needs no look: histories are escaped anew for every turn. */
  private static int plainEnd(String text, int from) {
    int i = from;
    while (i < text.length() && isPlain(text.charAt(i))) {
      i++;
    }
    return i;
  }

  /** Only what a typewriter has: nothing in it is hidden or has another form. */
  static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r') {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c < 0x7f && c != '<' && c != '&' && c != '[' || c == '\n';
  }

  public static String unescape(String text) {
    if (text.indexOf('&') < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    int i = 0;
    while (i < text.length()) {
      int end = text.charAt(i) == '&' ? referenceEnd(text, i) : i;
      if (end > i) {
        out.appendCodePoint(meaning(text, i, end));
        i = end;
      } else {
        out.append(text.charAt(i++));
      }
    }
    return out.toString();
  }

  /** What makes a passage suspect of giving orders, as words for the log; empty for most. */
  public static List<String> suspicions(String text) {
    return Suspicions.of(text);
  }

  /** For values that stand on one line: line breaks by number as well. */
  static String escapeLine(String text) {
    String escaped = escape(text);
    return escaped.indexOf('\n') < 0 && escaped.indexOf('\r') < 0
        ? escaped
        : escaped.replace("\n", number('\n')).replace("\r", number('\r'));
  }

  static String number(int point) {
    String hex = Integer.toHexString(point).toUpperCase(Locale.ROOT);
    return "&#x" + "0".repeat(Math.max(0, HEX_MIN - hex.length())) + hex + ";";
  }

  /** Whether {@code <} at {@code at} could be taken for a tag of a prompt. */
  static boolean looksLikeTag(String text, int at) {
    int i = at + 1;
    while (i < text.length() && isPadding(text, i)) {
      i++;
    }
    if (i < text.length() && (text.charAt(i) == '|' || text.charAt(i) == WIDE_BAR)) {
      return true;
    }
    int from = i;
    while (i < text.length() && i - from <= ScaffoldTag.NAME_MAX
        && ScaffoldTag.isNameChar(text.charAt(i))) {
      i++;
    }
    String name = text.substring(from, i);
    return isScaffoldName(name) || NAMES.contains(ScaffoldTag.lowerCase(name));
  }

  static boolean isScaffoldName(String name) {
    return ScaffoldTag.of(name, true) != null;
  }

  private static boolean isPadding(String text, int at) {
    char c = text.charAt(at);
    return c == '/' || c == '\\' || TagMachine.isSpace(c) || HiddenCharacters.at(text, at);
  }

  static boolean isInstructionMarker(String text, int at) {
    int name = text.startsWith("/", at + 1) ? at + 2 : at + 1;
    return text.startsWith("INST]", name);
  }

  /** One past the reference that begins at {@code at}; {@code at} if none does. */
  private static int referenceEnd(String text, int at) {
    if (text.startsWith("lt;", at + 1)) {
      return at + 4;
    }
    if (text.startsWith("amp;", at + 1)) {
      return at + 5;
    }
    if (!text.startsWith("#x", at + 1)) {
      return at;
    }
    int from = at + 3;
    int i = from;
    while (i < text.length() && i - from <= HEX_MAX && isHex(text.charAt(i))) {
      i++;
    }
    boolean closed = i < text.length() && text.charAt(i) == ';';
    boolean number = closed && i - from >= HEX_MIN && i - from <= HEX_MAX;
    return number && Character.isValidCodePoint(Integer.parseInt(text, from, i, 16)) ? i + 1 : at;
  }

  private static boolean isHex(char c) {
    return c >= '0' && c <= '9' || c >= 'A' && c <= 'F';
  }

  private static int meaning(String text, int from, int end) {
    char first = text.charAt(from + 1);
    if (first == '#') {
      return Integer.parseInt(text, from + 3, end - 1, 16);
    }
    return first == 'l' ? '<' : '&';
  }
}
