package rubricem.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Takes a question as a user gives it and makes it one that can be stored and shown. */
final class Questions {
  private Questions() {}

  /** @param given the question, or {@code -} for standard input */
  static String read(String given, InputStream in, int charsMax) {
    String text = given;
    if (given.equals("-")) {
      try {
        // four bytes a character at most; one more tells that there is too much
        text = new String(in.readNBytes(4 * charsMax + 4), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw Failure.work("The question could not be read from standard input.");
      }
    }
    String question = clean(text).strip();
    if (question.isEmpty()) {
      throw Failure.usage("The question is empty. Give one in quotes, or - to read it from stdin.");
    }
    if (question.length() > charsMax) {
      throw Failure.usage(
          "The question has more than " + charsMax + " characters. Put long material into a file"
              + " and name it with --corpus.");
    }
    return question;
  }

  /** Drops what no text holds: NUL and other controls, halves of surrogate pairs. */
  private static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }
}
