package rubricem.protocol.evidence;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The upright bars between the cells of a row, as passages have them: in lines that begin and end
 * with one. They mean nothing; in program text, whose lines seldom end so, a bar does. Pure.
 */
public final class RowBars {
  private static final Pattern ROW = Pattern.compile("^\\|\\s.*\\s\\|$", Pattern.MULTILINE);

  private static final Pattern BARS = Pattern.compile("(?<=\\s|^)\\|(?=\\s|$)");

  private RowBars() {}

  /** A text with blanks in their place. */
  public static String blanked(String text) {
    return ROW.matcher(text).replaceAll(
        row -> Matcher.quoteReplacement(blankedRow(row.group())));
  }

  /** The same of a row that may have lost the bars at its ends. */
  public static String blankedRow(String row) {
    return BARS.matcher(row).replaceAll(" ");
  }
}
