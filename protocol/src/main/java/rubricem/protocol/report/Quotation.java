package rubricem.protocol.report;

/**
 * Puts a quote between the marks that are usual in a language. The quote itself stays as it was
 * found, with whatever marks it holds. Pure.
 */
public final class Quotation {
  /** French keeps its marks at a distance, and together with what they hold. */
  private static final String GAP = "\u00A0";

  private Quotation() {}

  /** @param language the tag of a {@link ReportLanguage} */
  public static String of(String language, String quote) {
    return switch (ReportLanguage.ofTag(language)) {
      case ENGLISH, PORTUGUESE, DUTCH, TURKISH, CHINESE, KOREAN -> "“" + quote + "”";
      case GERMAN -> "„" + quote + "“";
      case POLISH -> "„" + quote + "”";
      case HEBREW -> "”" + quote + "”";
      case FRENCH -> "«" + GAP + quote + GAP + "»";
      case SPANISH, ITALIAN, RUSSIAN, ARABIC -> "«" + quote + "»";
      case JAPANESE -> "「" + quote + "」";
    };
  }
}
