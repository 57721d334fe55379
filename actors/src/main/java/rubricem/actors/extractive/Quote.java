package rubricem.actors.extractive;

/**
 * Writes a sentence of a passage into Markdown so that a reader sees exactly it, with only such
 * escapes as the binding of citations takes back.
 */
final class Quote {
  private Quote() {}

  static String cited(String id, String sentence) {
    return "<cite id=\"" + id + "\">" + escape(sentence) + "</cite>";
  }

  static String escape(String sentence) {
    StringBuilder out = new StringBuilder(sentence.length() + 8);
    for (int i = 0; i < sentence.length(); i++) {
      char c = sentence.charAt(i);
      boolean markup = "*`[]|".indexOf(c) >= 0 || c == '_' && !insideWord(sentence, i)
          || c == '<' && i + 1 < sentence.length()
              && !Character.isWhitespace(sentence.charAt(i + 1));
      out.append(markup ? "\\" : "").append(c);
    }
    return out.toString();
  }

  private static boolean insideWord(String text, int at) {
    return at > 0 && at + 1 < text.length() && Character.isLetterOrDigit(text.charAt(at - 1))
        && Character.isLetterOrDigit(text.charAt(at + 1));
  }
}
