package rubricem.actors.extractive;

import java.util.regex.Pattern;

/** Whether a text holds the kind of answer a facet wants, in the languages documents are in. */
final class Wanting {
  private static final Pattern DEFAULT =
      Pattern.compile(
          "\\bdefaults?\\b|standardm|vorein(?:ge)?stell|vorgabe"
              + "|par défaut|por defecto|predeterminad|por padrão|predefinit"
              + "|standaard|domyśln|varsayılan|по умолчанию|默认|缺省|既定|デフォルト|기본",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private static final Pattern DIGIT = Pattern.compile("\\p{Nd}");

  /** A year, or a day of a month. */
  private static final Pattern DATE =
      Pattern.compile(
          "\\b(?:1[0-9]|20)\\d{2}\\b|\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}"
              + "|\\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|okt|nov|dec|dez)\\p{L}*\\.? \\d"
              + "|\\d{1,2}\\.? (?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)"
              + "|年",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private static final Pattern COUNTED =
      Pattern.compile(
          "\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|deux"
              + "|trois|quatre|cinq|dos|tres|cuatro|cinco)\\b");

  private Wanting() {}

  /** Whether a text could be an answer of the kind; any text can be one of no kind. */
  static boolean states(Facet.Wanted wanted, String text) {
    return switch (wanted) {
      case ANYTHING -> true;
      case AMOUNT -> statesAmount(text);
      case DATE -> DATE.matcher(text).find();
      case DEFAULT -> statesDefault(text);
    };
  }

  /** The same, but a value by default need not be called one: it may be a number. */
  static boolean couldBe(Facet.Wanted wanted, String text) {
    return states(wanted, text) || wanted == Facet.Wanted.DEFAULT && statesAmount(text);
  }

  static boolean statesAmount(String text) {
    return DIGIT.matcher(text).find() || countsInWords(text);
  }

  static boolean countsInWords(String text) {
    return COUNTED.matcher(text).find();
  }

  static boolean statesDefault(String text) {
    return DEFAULT.matcher(text).find();
  }
}
