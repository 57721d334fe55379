package rubricem.protocol.report;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import rubricem.protocol.evidence.UnreadableKind;

/**
 * The language a report's own words are in, guessed from the question: by its script where that
 * says enough, else by its smallest words. Whatever is unclear is English.
 */
public enum ReportLanguage {
  ENGLISH("en", "the of and is are was what which how why who when where in to for does did do i my"
      + " on can should with from that this there you it be an as or not have has"),
  GERMAN("de", "der die das und ist sind war was wie warum wer wann wo welche welcher für mit von"
      + " ein eine im zur zum des dem den nicht wurde gibt über"),
  FRENCH("fr", "le la les des est sont quel quelle quels quelles comment pourquoi qui quand où"
      + " dans du et une un pour sur par que en au aux"),
  SPANISH("es", "el la los las es son qué cuál cuáles cómo quién cuándo dónde por para del y una"
      + " un en con fue se al"),
  PORTUGUESE("pt", "o os é são qual quais como quem quando onde por para do da dos das uma um"
      + " em com foi não na no ao e"),
  ITALIAN("it", "il lo gli le è sono quale quali come chi quando dove perché per del della dei"
      + " delle una un nel nella con che di e"),
  DUTCH("nl", "de het een is zijn wat welke hoe waarom wie wanneer waar voor van met op en in"
      + " niet werd door naar"),
  POLISH("pl", "jest są jaki jaka jakie jak dlaczego kto kiedy gdzie czy w na z się od nie"
      + " był było przez oraz"),
  TURKISH("tr", "ve bir bu ne nedir nasıl neden kim hangi için ile mi mı mu mü olan kadar en"
      + " midir nerede kaç"),
  RUSSIAN("ru", ""),
  ARABIC("ar", ""),
  HEBREW("he", ""),
  CHINESE("zh", ""),
  JAPANESE("ja", ""),
  KOREAN("ko", "");

  /** A question is judged by its start; a long one is mostly pasted text. */
  private static final int LOOKED_AT = 2_000;

  /** {@code {0}}, or {@code {0:one|many}}. */
  private static final Pattern PLACE = Pattern.compile("\\{(\\d)(?::([^|}]*)\\|([^}]*))?\\}");

  /** What a question quotes or adds in brackets is often in the language of the documents. */
  private static final Pattern QUOTED =
      Pattern.compile("\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|\\([^)]*\\)");

  private final String tag;
  private final Set<String> smallWords;
  private final List<String> phrases;
  private final List<String> reasons;
  private final List<String> limits;

  ReportLanguage(String tag, String smallWords) {
    this.tag = tag;
    this.smallWords = new HashSet<>(Arrays.asList(smallWords.split(" ")));
    this.phrases = PhraseTexts.TEXTS.get(tag).lines().toList();
    this.limits = LimitTexts.TEXTS.get(tag).lines().toList();
    this.reasons = UnreadableTexts.TEXTS.getOrDefault(tag, "").lines().toList();
  }

  public String tag() {
    return tag;
  }

  public boolean isRightToLeft() {
    return this == ARABIC || this == HEBREW;
  }

  /** The phrase with its numbered places filled, and words in the form that fits the number. */
  public String say(Phrase phrase, Object... values) {
    return PLACE.matcher(phrases.get(phrase.ordinal()))
        .replaceAll(
            place -> {
              Object value = values[Integer.parseInt(place.group(1))];
              String said =
                  place.group(2) == null
                      ? String.valueOf(value)
                      : place.group(isOne(value) ? 2 : 3);
              return Matcher.quoteReplacement(said);
            });
  }

  /** Whether a thing of that number is no plural; in French nothing is none either. */
  private boolean isOne(Object value) {
    return value instanceof Number number
        && (number.longValue() == 1 || number.longValue() == 0 && this == FRENCH);
  }

  /** What ended the research early; a label of another program stays as it is. */
  String limit(String label) {
    int index = LimitTexts.LABELS.indexOf(label);
    return index < 0 ? label : limits.get(index);
  }

  /** Why a document could not be searched. */
  String say(UnreadableKind kind, String detail) {
    return reasons.isEmpty()
        ? kind.reason(detail)
        : reasons.get(kind.ordinal()).replace("{0}", detail);
  }

  static ReportLanguage ofTag(String tag) {
    return Arrays.stream(values()).filter(l -> l.tag.equals(tag)).findFirst().orElse(ENGLISH);
  }

  public static ReportLanguage of(String question) {
    String whole = question.substring(0, Math.min(question.length(), LOOKED_AT));
    String own = QUOTED.matcher(whole).replaceAll(" ");
    String text = own.isBlank() ? whole : own;
    int[] counts = new int[values().length];
    int latin = 0;
    for (int i = 0; i < text.length(); i++) {
      switch (Character.UnicodeScript.of(text.charAt(i))) {
        case HIRAGANA, KATAKANA -> counts[JAPANESE.ordinal()] += 4;
        case HAN -> counts[CHINESE.ordinal()] += 2;
        case HANGUL -> counts[KOREAN.ordinal()] += 2;
        case CYRILLIC -> counts[RUSSIAN.ordinal()]++;
        case ARABIC -> counts[ARABIC.ordinal()]++;
        case HEBREW -> counts[HEBREW.ordinal()]++;
        case LATIN -> latin++;
        default -> { }
      }
    }
    if (counts[JAPANESE.ordinal()] > 0) {
      counts[JAPANESE.ordinal()] += counts[CHINESE.ordinal()];
    }
    ReportLanguage best = ENGLISH;
    for (ReportLanguage language : values()) {
      best = counts[language.ordinal()] > counts[best.ordinal()] ? language : best;
    }
    return counts[best.ordinal()] >= latin && best != ENGLISH ? best : byWords(text);
  }

  private static ReportLanguage byWords(String text) {
    String[] words = text.toLowerCase(Locale.ROOT).split("[^\\p{L}]+");
    ReportLanguage best = ENGLISH;
    int most = 0;
    for (ReportLanguage language : values()) {
      int found = 0;
      for (String word : words) {
        found += !word.isEmpty() && language.smallWords.contains(word) ? 1 : 0;
      }
      if (found > most) {
        most = found;
        best = language;
      }
    }
    return best;
  }
}
