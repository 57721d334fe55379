package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a question into what it asks, each part a stretch of the asker's own words: its sentences,
 * their clauses that ask on their own, the sides of a comparison. What only tells the situation is
 * no part but what the next part leans on; a list stays whole. A clause without words of its own
 * joins the one before it. Pure.
 */
final class Parts {
  /** A clause of fewer words that mean something belongs to the one before it. */
  private static final int CLAUSE_TERMS_MIN = 2;

  private static final int FLAGS =
      Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.UNICODE_CHARACTER_CLASS;

  private static final String ASKING =
      "how|which|what|when|where|why|who|does|do|is|are|can|should|wie|welche[rsn]?|was|wann|wo"
          + "|warum|wer|kann|ist|sind|wieviele?|comment|combien|quel(?:le)?s?|quand|où"
          + "|pourquoi|qui|peut|est-ce|cómo|cuánt[oa]s?|quién(?:es)?"
          + "|cuál(?:es)?|cuándo|dónde|qué|como|qual|quais|quando|onde|quem|quant[oaie]s?"
          + "|come|quale|quali|dove|perché|chi|cosa"
          + "|hoe|wat|welke|waar|jak|jaki|jaka|jakie|kiedy|gdzie|kto|co|ile|dlaczego"
          + "|как|что|какой|какая|какие|когда|где|почему|кто|сколько|зачем";

  private static final String ASKS =
      "(?:(?:for|in|on|at|to|by|with|under|after|from|since|until)\\s+)?(?:" + ASKING + ")\\b";

  private static final String AND =
      "and|&|plus|as well as|or|und|sowie|oder|et|ou|y|o|e|en|i|oraz|и|или|but|aber|mais";

  /** What follows a colon, a semicolon or a dash is a part only where it asks. */
  private static final Pattern SENTENCE =
      Pattern.compile(
          "(?<!\\b(?:vs|e\\.g|i\\.e|z\\.\\s?B|cf|etc|bzw|approx|Nr|No)\\.)(?<=[.!?])\\s+"
              + "|(?<=[。？！؟۔])\\s*"
              + "|(?:(?<=[;:；：])\\s*|\\s+[–—-]\\s+)(?:(?:" + AND + ")\\s+)?(?=" + ASKS + ")",
          FLAGS);

  private static final Pattern CLAUSE =
      Pattern.compile(
          "\\s*,\\s*(?:(?:" + AND + ")\\s+)?(?=" + ASKS + ")"
              + "|\\s+(?:" + AND + ")\\s+(?=" + ASKS + ")|，\\s*",
          FLAGS);

  private static final Pattern QUESTION =
      Pattern.compile(
          "[?？؟]\\s*$|^(?:(?:" + AND + ")\\s+)?" + ASKS
              + "|^(?:please\\s+)?(?:compare|explain|describe|list|tell|show|find|give|name"
              + "|erkläre?|nenne?|zeige?|vergleiche?|expliquez?|comparez?|explique|explica)\\b",
          FLAGS);

  /**
   * @param text the asker's words
   * @param asked the same, but for a side of a comparison the whole comparison
   * @param said what the asker told before it; may be empty
   */
  record Part(String text, String asked, String said) {}

  /** A stretch of the text. */
  private record Stretch(int from, int to, boolean asks) {
    String of(String text) {
      return text.substring(from, to);
    }
  }

  private Parts() {}

  static List<Part> of(String text) {
    List<Stretch> clauses = clauses(text);
    boolean someAsk = clauses.stream().anyMatch(c -> c.asks() && !terms(c, text).isEmpty());
    List<Part> parts = new ArrayList<>();
    StringBuilder said = new StringBuilder();
    for (Stretch clause : clauses) {
      String bare = trimmed(clause.of(text));
      if (someAsk && !clause.asks()) {
        said.append(said.isEmpty() ? "" : ". ").append(bare);
      } else {
        for (String side : Comparison.sides(bare)) {
          parts.add(new Part(side, bare, said.toString()));
        }
        said.setLength(0);
      }
    }
    return parts;
  }

  private static Set<String> terms(Stretch clause, String text) {
    return Words.terms(clause.of(text));
  }

  private static List<Stretch> clauses(String text) {
    List<Stretch> clauses = new ArrayList<>();
    for (Stretch sentence : split(SENTENCE, text, new Stretch(0, text.length(), false))) {
      boolean asks = QUESTION.matcher(sentence.of(text).strip()).find();
      boolean first = true;
      for (Stretch clause : split(CLAUSE, text, sentence)) {
        Stretch whole = new Stretch(clause.from(), clause.to(), asks);
        boolean joins = !clauses.isEmpty() && joins(whole, first, clauses, text);
        if (joins) {
          Stretch last = clauses.removeLast();
          clauses.add(new Stretch(last.from(), whole.to(), asks));
        } else {
          clauses.add(whole);
        }
        first = false;
      }
    }
    return clauses;
  }

  /** What asks joins what tells only where it would say next to nothing without it. */
  private static boolean joins(
      Stretch clause, boolean sentence, List<Stretch> before, String text) {
    Stretch last = before.getLast();
    long added = added(clause, before, text);
    if (last.asks() != clause.asks()) {
      return clause.asks() && added < CLAUSE_TERMS_MIN;
    }
    boolean bare = !sentence && terms(clause, text).size() < CLAUSE_TERMS_MIN;
    return added == 0 || bare || terms(last, text).isEmpty();
  }

  private static List<Stretch> split(Pattern at, String text, Stretch whole) {
    List<Stretch> stretches = new ArrayList<>();
    Matcher matcher = at.matcher(text).region(whole.from(), whole.to());
    int from = whole.from();
    while (matcher.find()) {
      if (matcher.start() > from) {
        stretches.add(new Stretch(from, matcher.start(), false));
      }
      from = matcher.end();
    }
    if (from < whole.to()) {
      stretches.add(new Stretch(from, whole.to(), false));
    }
    return stretches;
  }

  /** How many words that mean something a clause has that no clause before it has. */
  private static long added(Stretch clause, List<Stretch> before, String text) {
    Set<String> known = Words.terms(text.substring(0, before.getLast().to()));
    return terms(clause, text).stream().filter(t -> !known.contains(t)).count();
  }

  private static String trimmed(String part) {
    return part.replaceAll("^[\\s,;:.!?，。]+|[\\s,;:.!?，。？！؟]+$", "");
  }
}
