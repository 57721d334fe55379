package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a line says of its page's number: a label that says nothing else, such as "Page 3", "3 of
 * 12", "– 3 –" or "iv", or a head with a number before or after it. Whether the number counts the
 * pages is for {@link RunningLines} to judge. A year is no label, for years may move like pages.
 *
 * @param frame the line without its number
 * @param number what may be the number of the page
 * @param form what the line is beside its number
 */
record PageLabel(String frame, int number, Form form) {
  /** A head of fewer words with a number behind it rather names a thing, such as an invoice. */
  private static final int HEAD_WORDS = 4;

  private static final int YEARS_FROM = 1800;
  private static final int YEARS_TO = 2100;

  private static final String DRESS = "[\\s\\-–—·•|*~()\\[\\]<>]*";
  private static final String WORD =
      "(?:page|pp?\\.|seite|s\\.|página|pág\\.|pagina|pag\\.|side|sida|sivu|strona|strana"
          + "|страница|стр\\.|с\\.|sayfa|halaman|trang|oldal|σελίδα|صفحة|الصفحة|עמוד|ページ|第|페이지)";
  private static final String AFTER = "(?:[页頁쪽]|ページ|페이지)";
  private static final String OF =
      "(?:/|of|von|de|sur|di|da|van|av|af|из|z|من|מתוך|[,，]?\\s*共|の)";
  private static final Pattern LABEL =
      Pattern.compile(
          "(?iu)" + DRESS + "(?<word>" + WORD + ")?\\s*(?<part>\\d{1,3}[-–])?(?<number>\\p{Nd}{1,5})"
              + "\\s*(?<after>" + AFTER + ")?(?:\\s*" + OF + "\\s*(?<all>\\p{Nd}{1,5})\\s*" + AFTER
              + "?)?" + DRESS);
  private static final Pattern ROMAN =
      Pattern.compile(
          "(?iu)" + DRESS + "(?:" + WORD + "\\s*)?"
              + "(?<number>(?=[clxvi])c?(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3}))" + DRESS);
  private static final Pattern LEADING = Pattern.compile("(?<number>\\p{Nd}{1,5})\\s+(?<head>.*)");
  private static final Pattern TRAILING =
      Pattern.compile("(?<head>.*\\p{L}.*)\\s(?<number>\\p{Nd}{1,5})");
  private static final Pattern SET_APART = Pattern.compile("(?iu).*(?:[|·•]|\\s" + WORD + ")\\s*");
  private static final Pattern COUNTING = Pattern.compile("(?iu).*\\s(?:no|nr|n°|№|#)\\.?");
  private static final Pattern LETTER = Pattern.compile("\\p{L}");

  enum Form {
    /** The line is the label. */
    LABEL,
    /** A head that the number does not belong to: a bar or the word "page" parts them. */
    APART,
    /** A head of many words, then a number. */
    TITLED,
    LEADING,
    TRAILING
  }

  boolean isLabel() {
    return form == Form.LABEL;
  }

  static List<PageLabel> of(String line) {
    Optional<PageLabel> label = label(line);
    return label.isPresent() ? List.of(label.get()) : heads(line);
  }

  private static Optional<PageLabel> label(String line) {
    Matcher roman = ROMAN.matcher(line);
    if (roman.matches()) {
      return Optional.of(new PageLabel("roman", roman(roman.group("number")), Form.LABEL));
    }
    Matcher label = LABEL.matcher(line);
    if (!label.matches()) {
      return Optional.empty();
    }
    int number = Integer.parseInt(label.group("number"));
    String all = label.group("all");
    boolean bare = label.group("word") == null && label.group("after") == null && all == null;
    if (all != null && Integer.parseInt(all) < number || bare && isYear(number)) {
      return Optional.empty();
    }
    return Optional.of(new PageLabel(frame(line, label), number, Form.LABEL));
  }

  private static List<PageLabel> heads(String line) {
    List<PageLabel> heads = new ArrayList<>();
    Matcher leading = LEADING.matcher(line);
    if (leading.matches() && LETTER.matcher(leading.group("head")).find()) {
      boolean apart = leading.group("head").matches("[|·•].*");
      heads.add(head(line, leading, apart ? Form.APART : Form.LEADING));
    }
    Matcher trailing = TRAILING.matcher(line);
    if (trailing.matches()) {
      heads.add(head(line, trailing, trailing(trailing.group("head").strip())));
    }
    return heads;
  }

  private static Form trailing(String head) {
    if (SET_APART.matcher(head).matches()) {
      return Form.APART;
    }
    boolean titled = head.split("\\s+").length >= HEAD_WORDS;
    return titled && !COUNTING.matcher(head).matches() ? Form.TITLED : Form.TRAILING;
  }

  private static PageLabel head(String line, Matcher found, Form form) {
    return new PageLabel(frame(line, found), Integer.parseInt(found.group("number")), form);
  }

  private static String frame(String line, Matcher found) {
    return line.substring(0, found.start("number")) + "#" + line.substring(found.end("number"));
  }

  private static boolean isYear(int number) {
    return number >= YEARS_FROM && number <= YEARS_TO;
  }

  private static int roman(String text) {
    int sum = 0;
    int before = 0;
    for (char letter : text.toLowerCase(Locale.ROOT).toCharArray()) {
      int value =
          switch (letter) {
            case 'i' -> 1;
            case 'v' -> 5;
            case 'x' -> 10;
            case 'l' -> 50;
            default -> 100;
          };
      sum += value > before ? value - 2 * before : value;
      before = value;
    }
    return sum;
  }
}
