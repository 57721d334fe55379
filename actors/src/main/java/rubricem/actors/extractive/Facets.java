package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import rubricem.protocol.report.MarkdownText;
import rubricem.protocol.report.ReportLanguage;

/**
 * Splits a question into what it asks: its sentences, their clauses that ask on their own, and the
 * sides of a comparison. A part without words of its own joins the part before it. Pure; any text
 * is a question.
 */
final class Facets {
  /** A question is judged by its beginning; what follows is mostly pasted text. */
  static final int CHARS_MAX = 2_000;

  /** More parts than a report can treat; the rest stays in the question as a whole. */
  static final int FACETS_MAX = 6;

  private static final int FACET_CHARS_MAX = 240;

  /** A clause of fewer words that mean something belongs to the one before it. */
  private static final int CLAUSE_TERMS_MIN = 2;

  /** With fewer words that mean something a part cannot be searched by itself. */
  private static final int LEANS_BELOW = 5;

  private static final Pattern SENTENCE =
      Pattern.compile("(?<=[.!?;:])\\s+|(?<=[。？！；：؟۔])\\s*|\\s+[–—]\\s+");

  private static final String ASKING =
      "how|which|what|when|where|why|who|does|do|is|are|can|should|wie|welche[rsn]?|was|wann|wo"
          + "|warum|wer|kann|ist|sind|comment|quel(?:le)?s?|quand|où|pourquoi|qui|peut|est-ce|cómo"
          + "|cuál(?:es)?|cuándo|dónde|qué|quién|como|qual|quais|quando|onde"
          + "|come|quale|quali|dove|perché"
          + "|hoe|wat|welke|waar|jak|jaki|kiedy|gdzie|как|что|какой|какая|какие|когда|где|почему";

  private static final String AND = "and|or|und|oder|et|ou|y|o|e|en|i|oraz|и|или|but|aber|mais";

  private static final Pattern CLAUSE =
      Pattern.compile(
          "\\s*,\\s*(?:(?:" + AND + ")\\s+)?(?=(?:for\\s+|in\\s+|after\\s+|from\\s+)?(?:" + ASKING
              + ")\\b)|\\s+(?:" + AND + ")\\s+(?=(?:for\\s+|in\\s+|after\\s+|from\\s+)?(?:" + ASKING
              + ")\\b)|[，、]\\s*",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.UNICODE_CHARACTER_CLASS);

  private static final Pattern BETWEEN =
      Pattern.compile(
          "\\b(?:between|compare|comparing|zwischen|vergleiche|entre|comparer|tra|fra)\\s+(.+?)\\s+"
              + "(?:and|with|to|und|mit|et|avec|y|con|e|com)\\s+(.+)$",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private static final Pattern VERSUS =
      Pattern.compile("^(.+?)\\s+(?:vs\\.?|versus|rather than|instead of)\\s+(.+)$",
          Pattern.CASE_INSENSITIVE);

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
          "\\bhow (?:much|many|long|often|large|big|far|small|high|fast|old)\\b"
              + "|\\b(?:longest|largest"
              + "|biggest|maximum|minimum|smallest|limit)\\b|wie ?(?:viele?|lange|oft|groß)|wieviel"
              + "|combien|cuánt|quant[oaie]\\b|hoeveel|\\bile\\b|kaç|сколько|多少|几个|几次|多久|多大"
              + "|いくつ|どれくらい|얼마|كم|כמה",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private Facets() {}

  static Question read(String asked) {
    String bounded = asked.substring(0, Math.min(asked.length(), CHARS_MAX));
    String text = MarkdownText.line(bounded);
    ReportLanguage language = ReportLanguage.of(text);
    List<Facet> facets = new ArrayList<>();
    boolean wantsDefault = DEFAULT.matcher(text).find();
    for (String part : parts(text)) {
      Set<String> terms = Words.terms(part);
      if (!terms.isEmpty() && facets.size() < FACETS_MAX) {
        List<Phrasing> alone = phrasings(shortened(part), language);
        List<Phrasing> leaning = phrasings(context(part, terms, facets), language);
        facets.add(
            new Facet(shortened(part), leaning, alone, wanted(part, wantsDefault)));
      }
    }
    return new Question(
        text, language, phrasings(text, language), List.copyOf(facets), Names.of(text, language));
  }

  private static List<Phrasing> phrasings(String text, ReportLanguage language) {
    String english = Glossary.english(text, language);
    return english.equals(text)
        ? List.of(Phrasing.of(text))
        : List.of(Phrasing.of(text), Phrasing.of(english));
  }

  /** A part that says little by itself leans on the parts before it. */
  private static String context(String part, Set<String> terms, List<Facet> before) {
    if (before.isEmpty() || terms.size() >= LEANS_BELOW) {
      return shortened(part);
    }
    return shortened(before.getLast().phrasings().getFirst().text()) + ". " + shortened(part);
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
    return DEFAULT.matcher(part).find() ? Facet.Wanted.DEFAULT : Facet.Wanted.ANYTHING;
  }

  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    for (String sentence : SENTENCE.split(text)) {
      int fewest = 1;
      for (String clause : CLAUSE.split(sentence)) {
        Optional<List<String>> sides = sides(clause);
        if (sides.isPresent()) {
          parts.addAll(sides.get());
        } else if (added(clause, parts) < fewest && !parts.isEmpty()) {
          parts.set(parts.size() - 1, parts.getLast() + " " + clause.strip());
        } else {
          parts.add(clause.strip());
        }
        fewest = CLAUSE_TERMS_MIN;
      }
    }
    return joined(parts);
  }

  /** How many words that mean something a clause has that no part before it has. */
  private static long added(String clause, List<String> parts) {
    Set<String> known = Words.terms(String.join(" ", parts));
    return Words.terms(clause).stream().filter(t -> !known.contains(t)).count();
  }

  /** A first part too short to search for joins the one that follows. */
  private static List<String> joined(List<String> parts) {
    Set<String> kept = new LinkedHashSet<>();
    String before = "";
    for (String part : parts) {
      String whole = before.isEmpty() ? part : before + " " + part;
      if (Words.terms(whole).isEmpty()) {
        before = whole;
      } else {
        kept.add(trimmed(whole));
        before = "";
      }
    }
    return List.copyOf(kept);
  }

  private static String trimmed(String part) {
    return part.replaceAll("^[\\s,;:.!?，。]+|[\\s,;:.!?，。？！؟]+$", "");
  }

  /** Both sides of a comparison, each with words of its own. */
  private static Optional<List<String>> sides(String clause) {
    for (Pattern pattern : List.of(BETWEEN, VERSUS)) {
      Matcher matcher = pattern.matcher(clause);
      if (matcher.find()) {
        String a = matcher.group(1).strip();
        String b = matcher.group(2).strip();
        if (!Words.terms(a).isEmpty() && !Words.terms(b).isEmpty()) {
          return Optional.of(List.of(a, b));
        }
      }
    }
    return Optional.empty();
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
