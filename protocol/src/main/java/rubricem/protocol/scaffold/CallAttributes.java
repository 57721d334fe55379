package rubricem.protocol.scaffold;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the attributes of a start tag: any order, single, double or no quotes, white space around
 * the equals sign, references un-escaped. The first of two attributes of one name counts. A word
 * without a value is skipped.
 */
final class CallAttributes {
  static final String NAME = "name";

  private final String text;
  private final int to;
  private int at;

  private CallAttributes(String text, int from, int to) {
    this.text = text;
    this.at = from;
    this.to = to;
  }

  /** The attributes of {@code tag}; {@code name} is in lower case whatever its case was. */
  static Map<String, String> of(String text, Tag tag) {
    int from = tag.from() + 1 + tag.kind().label().length();
    return new CallAttributes(text, from, tag.to() - 1).read();
  }

  private Map<String, String> read() {
    Map<String, String> read = new LinkedHashMap<>();
    while (at < to) {
      skipSpace();
      String key = word(true);
      skipSpace();
      if (at < to && text.charAt(at) == '=') {
        at++;
        skipSpace();
        String value = ScaffoldText.readAll(value());
        if (!key.isEmpty()) {
          String lower = ScaffoldTag.lowerCase(key);
          read.putIfAbsent(lower.equals(NAME) ? NAME : key, value);
        }
      } else if (key.isEmpty() && at < to) {
        at++;
      }
    }
    return read;
  }

  private void skipSpace() {
    while (at < to && TagMachine.isSpace(text.charAt(at))) {
      at++;
    }
  }

  private String word(boolean key) {
    int from = at;
    while (at < to && !TagMachine.isSpace(text.charAt(at)) && !(key && endsKey(text.charAt(at)))) {
      at++;
    }
    return text.substring(from, at);
  }

  private static boolean endsKey(char c) {
    return c == '=' || c == '"' || c == '\'' || c == '/';
  }

  private String value() {
    if (at >= to || text.charAt(at) != '"' && text.charAt(at) != '\'') {
      return word(false);
    }
    int end = text.indexOf(text.charAt(at), at + 1);
    end = end < 0 || end > to ? to : end;
    String value = text.substring(at + 1, end);
    at = Math.min(to, end + 1);
    return value;
  }
}
