package rubricem.protocol.report;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The numbers of a text, in any script's digits. Points and commas mean different things in
 * different countries, so {@code 1,234} is read both as one thousand and as one; two numbers are
 * the same when they share a reading.
 */
final class TextNumbers {
  private TextNumbers() {}

  /** The numbers of the claim, as written, that the passage has in no reading. */
  static List<String> missing(String claim, String passage) {
    Set<String> there = new HashSet<>();
    for (String number : numbers(passage)) {
      there.addAll(readings(number));
    }
    List<String> missing = new ArrayList<>();
    for (String number : numbers(claim)) {
      if (readings(number).stream().noneMatch(there::contains)) {
        missing.add(number);
      }
    }
    return List.copyOf(missing);
  }

  private static Set<String> numbers(String text) {
    String folded = Normalizer.normalize(text, Normalizer.Form.NFKC);
    Set<String> numbers = new LinkedHashSet<>();
    int i = 0;
    while (i < folded.length()) {
      if (Character.digit(folded.charAt(i), 10) < 0) {
        i++;
        continue;
      }
      int end = end(folded, i);
      numbers.add((negative(folded, i) ? "-" : "") + digits(folded.substring(i, end)));
      i = end;
    }
    return numbers;
  }

  private static int end(String text, int from) {
    int i = from;
    boolean grouped = false;
    while (i < text.length()) {
      char c = text.charAt(i);
      boolean digit = Character.digit(c, 10) >= 0;
      boolean parts = ".,'’٬٫".indexOf(c) >= 0 && digitAt(text, i + 1);
      boolean groups = (c == ' ' || c == '\u00A0' || c == '\u202F')
          && group(text, i + 1) && (grouped || i - from <= 3);
      grouped |= groups;
      if (!digit && !parts && !groups) {
        return i;
      }
      i++;
    }
    return i;
  }

  private static boolean digitAt(String text, int i) {
    return i >= 0 && i < text.length() && Character.digit(text.charAt(i), 10) >= 0;
  }

  /** Exactly three digits and then no further one: a group of thousands. */
  private static boolean group(String text, int i) {
    return digitAt(text, i) && digitAt(text, i + 1) && digitAt(text, i + 2)
        && !digitAt(text, i + 3);
  }

  private static boolean negative(String text, int from) {
    boolean sign = from > 0 && "-−".indexOf(text.charAt(from - 1)) >= 0;
    return sign && (from == 1 || " (\n\t:=".indexOf(text.charAt(from - 2)) >= 0);
  }

  private static String digits(String number) {
    StringBuilder out = new StringBuilder(number.length());
    for (int i = 0; i < number.length(); i++) {
      int digit = Character.digit(number.charAt(i), 10);
      char c = number.charAt(i);
      out.append(digit >= 0 ? (char) ('0' + digit) : c == '٫' ? '.' : c == '٬' ? ',' : c);
    }
    return out.toString();
  }

  /** Every value the writing can stand for, in one form. */
  private static Set<String> readings(String number) {
    Set<String> readings = new LinkedHashSet<>();
    String bare = number.replaceAll("[ '’\u00A0\u202F]", "");
    int last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
    if (last < 0) {
      readings.add(canonical(bare, ""));
      return readings;
    }
    String all = bare.replaceAll("[.,]", "");
    String whole = bare.substring(0, last).replaceAll("[.,]", "");
    boolean several = bare.indexOf(bare.charAt(last)) != last;
    boolean thousands = bare.length() - last - 1 == 3;
    if (thousands) {
      readings.add(canonical(all, ""));
    }
    if (!several) {
      readings.add(canonical(whole, bare.substring(last + 1)));
    }
    if (readings.isEmpty()) {
      readings.add(bare);
    }
    return readings;
  }

  private static String canonical(String whole, String fraction) {
    String start = whole.startsWith("-") ? "-" : "";
    int from = start.length();
    while (from + 1 < whole.length() && whole.charAt(from) == '0') {
      from++;
    }
    int to = fraction.length();
    while (to > 0 && fraction.charAt(to - 1) == '0') {
      to--;
    }
    return start + whole.substring(from) + (to == 0 ? "" : "." + fraction.substring(0, to));
  }
}
