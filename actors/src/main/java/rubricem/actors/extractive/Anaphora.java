package rubricem.actors.extractive;

import java.util.Map;
import java.util.regex.Pattern;
import rubricem.protocol.report.ReportLanguage;

/**
 * Whether a part of a question points back: then what was named before it is meant by it too. In a
 * language that leaves the subject out, or whose words are not known here, every part may. Pure.
 */
final class Anaphora {
  /** A part of fewer words that mean something says nothing without what stood before it. */
  private static final int ALONE_MIN = 2;

  private static final Map<ReportLanguage, Pattern> WORDS =
      Map.of(
          ReportLanguage.ENGLISH,
          words("it|its|itself|they|them|their|theirs|this|that|these|those|he|him|his|she|her|hers"
              + "|there|then|one|ones|each|both|either|neither|such|same|former|latter"),
          ReportLanguage.GERMAN,
          words("er|sie|es|ihn|ihm|ihr|ihre[mnrs]?|sein|seine[mnrs]?|diese[mnrs]?|das|dies|deren"
              + "|dessen|denen|da(?:von|für|mit|bei|zu|ran|rauf|raus|rin|gegen|nach)|dort|dann"
              + "|jene[mnrs]?|beide[nrs]?|solche[mnrs]?"),
          ReportLanguage.FRENCH,
          words("il|ils|elle|elles|lui|leur|leurs|son|sa|ses|ce|cet|cette|ces|cela|ça|celui|celle"
              + "|ceux|celles|en|y|dont|là|l['’]?"),
          ReportLanguage.DUTCH,
          words("het|hij|zij|ze|hem|haar|hun|hen|zijn|dit|dat|deze|die|er|daar|ervan|ervoor|ermee"
              + "|daarvan|beide"));

  private Anaphora() {}

  static boolean in(String part, ReportLanguage language) {
    Pattern words = WORDS.get(language);
    return words == null || Words.terms(part).size() < ALONE_MIN || words.matcher(part).find();
  }

  private static Pattern words(String words) {
    return Pattern.compile(
        "(?<![\\p{L}\\p{N}_])(?:" + words + ")(?![\\p{L}\\p{N}_])",
        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }
}
