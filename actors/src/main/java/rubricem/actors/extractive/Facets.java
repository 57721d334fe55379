package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.regex.Pattern;
import rubricem.protocol.report.MarkdownText;
import rubricem.protocol.report.ReportLanguage;

/**
 * Reads a question: its parts, what kind of answer each wants, the words each is searched and
 * compared by, and the names in it. Pure; any text is a question.
 */
final class Facets {
  /** A question is judged by its beginning; what follows is mostly pasted text. */
  static final int CHARS_MAX = 2_000;

  /** More parts than a report can treat; the rest stays in the question as a whole. */
  static final int FACETS_MAX = 6;

  /** Fewer words than these say too little to be searched without the rest. */
  private static final int UNDERSTOOD_MIN = 3;

  private static final int FACET_CHARS_MAX = 240;

  /** With fewer words that mean something a part cannot be searched by itself. */
  private static final int LEANS_BELOW = 5;

  private static final Pattern DEFAULT =
      Pattern.compile(
          "\\bdefaults?\\b|out of the box|unless (?:told|set|specified|changed)"
              + "|nobody (?:changed|set)|nothing (?:was|is) (?:configured|set|changed)"
              + "|standardm|vorein(?:ge)?stell"
              + "|vorgabe|par défaut|por defecto|predeterminad|por padrão|predefinit"
              + "|standaard|domyśln|varsayılan|по умолчанию|默认|缺省|既定|デフォルト|기본값|افتراضي|ברירת מחדל",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private static final Pattern AMOUNT =
      Pattern.compile(
          "\\bhow (?:much|many|long|often|large|big|far|small|high|tall|wide|deep|heavy|fast|old)\\b"
              + "|\\b(?:longest|largest"
              + "|biggest|maximum|minimum|smallest|limit)\\b|wie ?(?:viele?|lange?|oft|groß|hoch"
              + "|breit|tief|schwer|schnell|weit|alt)\\b|wieviel"
              + "|combien|cuánt|quant[oaie]\\b|hoeveel|\\bile\\b|kaç|сколько|多少|几个|几次|多久|多大"
              + "|いくつ|どれくらい|얼마|كم|כמה",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  /** Of something that is over; "when" by itself mostly asks for a condition. */
  private static final Pattern DATE =
      Pattern.compile(
          "\\bwhen (?:was|were|did)\\b|\\b(?:which|what) (?:year|day|date)\\b"
              + "|\\bwann (?:wurden?|waren?|hat|ist)\\b|welche[ms] (?:jahr|tag|datum)"
              + "|quand (?:a|est|fut|ont)\\b|quelle (?:année|date)|qué (?:año|fecha)|em que ano"
              + "|in che anno|哪一?年|何年",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private Facets() {}

  static Question read(String asked) {
    String bounded = asked.substring(0, Math.min(asked.length(), CHARS_MAX));
    String text = MarkdownText.line(bounded);
    ReportLanguage language = ReportLanguage.of(text);
    List<Facet> facets = new ArrayList<>();
    boolean wantsDefault = DEFAULT.matcher(text).find();
    for (Parts.Part part : Parts.of(text)) {
      Set<String> terms = Words.terms(part.text());
      if (!terms.isEmpty() && facets.size() < FACETS_MAX) {
        String own = shortened(part.text());
        String context = context(part, terms, facets);
        boolean points = !part.said().isEmpty() || Anaphora.in(own, language);
        List<Phrasing> leaning = phrasings(context, language);
        Facet.Wanted wanted = wanted(part.text(), wantsDefault);
        facets.add(
            new Facet(
                own, shortened(part.asked()), leaning, phrasings(own, language),
                Names.of(points ? context : own, language), wanted,
                points || facets.isEmpty()
                    ? Optional.empty()
                    : Optional.of(facets.getLast().phrasings().getFirst().text())));
      }
    }
    return new Question(
        text, language, phrasings(text, language), List.copyOf(facets), Names.of(text, language),
        Glossary.unknown(text, language));
  }

  private static List<Phrasing> phrasings(String text, ReportLanguage language) {
    String english = Glossary.english(text, language);
    if (english.equals(text)) {
      return List.of(Phrasing.of(text));
    }
    String known = without(english, Glossary.unknown(text, language));
    Phrasing understood = Phrasing.of(known);
    return known.equals(english) || understood.terms().size() < UNDERSTOOD_MIN
        ? List.of(Phrasing.of(text), Phrasing.of(english))
        : List.of(Phrasing.of(text), Phrasing.of(english), understood);
  }

  /** One foreign word can hide what the others mean. */
  private static String without(String english, List<String> unknown) {
    return Stream.of(english.split(" "))
        .filter(w -> !unknown.contains(w)).collect(Collectors.joining(" "));
  }

  /** A part that says little by itself leans on what was said, or else asked, before it. */
  private static String context(Parts.Part part, Set<String> terms, List<Facet> before) {
    String own = shortened(part.text());
    if (terms.size() >= LEANS_BELOW || part.said().isEmpty() && before.isEmpty()) {
      return own;
    }
    String leaned =
        part.said().isEmpty()
            ? before.getLast().phrasings().getFirst().text()
            : part.said();
    return shortened(leaned) + ". " + own;
  }

  private static String shortened(String part) {
    if (part.length() <= FACET_CHARS_MAX) {
      return part;
    }
    int space = part.lastIndexOf(' ', FACET_CHARS_MAX);
    int cut = space > FACET_CHARS_MAX / 2 ? space : FACET_CHARS_MAX;
    cut -= Character.isHighSurrogate(part.charAt(cut - 1)) ? 1 : 0;
    return part.substring(0, cut);
  }

  private static Facet.Wanted wanted(String part, boolean wantsDefault) {
    if (AMOUNT.matcher(part).find()) {
      return wantsDefault ? Facet.Wanted.DEFAULT : Facet.Wanted.AMOUNT;
    }
    if (DATE.matcher(part).find()) {
      return Facet.Wanted.DATE;
    }
    return DEFAULT.matcher(part).find() ? Facet.Wanted.DEFAULT : Facet.Wanted.ANYTHING;
  }

  /** Words that name something of their own. */
  static final class Names {
    private Names() {}

    static Set<String> of(String text, ReportLanguage language) {
      boolean nouns = language == ReportLanguage.GERMAN;
      Set<String> names = new LinkedHashSet<>();
      boolean starts = true;
      int last = 0;
      for (Words.Word word : Words.all(text)) {
        String between = text.substring(Math.min(last, word.from()), word.from());
        starts |= between.matches(".*[.!?:;。？！]\\s*");
        String surface = word.surface();
        if (isName(surface, starts || nouns) && Words.carries(word)) {
          names.add(word.stem());
        }
        starts = false;
        last = word.to();
      }
      return names;
    }

    private static boolean isName(String surface, boolean starts) {
      boolean letter = surface.codePoints().anyMatch(Character::isLetter);
      String rest = surface.substring(surface.offsetByCodePoints(0, 1));
      boolean mixed = rest.codePoints().anyMatch(Character::isUpperCase);
      boolean marked = surface.indexOf('_') > 0;
      boolean capital = Character.isUpperCase(surface.codePointAt(0));
      return letter && (mixed || marked || capital && !starts)
          && !surface.toLowerCase(Locale.ROOT).equals("i");
    }
  }
}
