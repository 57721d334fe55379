package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import rubricem.actors.extractive.Evidence.Found;
import rubricem.protocol.scaffold.ToolCall;

/**
 * Which search comes next. The whole question first, then each facet by itself, then in other
 * words learnt from what was found, then inside the documents that look best, then beside the best
 * passages. A call is never made twice. Pure.
 */
final class Searches {
  private static final String LIMIT = "limit";
  private static final int QUERY_CHARS_MAX = 1_000;
  private static final int DOCUMENTS = 3;
  private static final int FACETS = 4;

  /** A word of a heading tells more of the subject than one of the text. */
  private static final double HEADING = 2;

  /** How little it matters whether a word is rare: what many good passages share is the subject. */
  private static final double RARITY = 1;

  /** Passages that speak for a document: the best few, each for less than the one before. */
  private static final int COUNTED = 3;
  private static final int HITS_IN_DOCUMENT = 20;
  private static final int LEARNT = 8;
  private static final int LEARNT_FROM = 5;

  private final ExtractiveSettings settings;
  private final String tool;
  private final Question question;
  private final Evidence evidence;
  private final Ranking ranking;

  /** @param why one sentence for the state evaluation */
  record Step(ToolCall call, String why) {}

  Searches(
      ExtractiveSettings settings, String tool, Question question, Evidence evidence,
      Ranking ranking) {
    this.settings = settings;
    this.tool = tool;
    this.question = question;
    this.evidence = evidence;
    this.ranking = ranking;
  }

  /** The first search of an episode; there always is one. */
  static ToolCall first(ExtractiveSettings settings, String tool, Question question) {
    String text = question.text().isBlank() ? "?" : question.text();
    return search(tool, text, settings.hits(), Map.of());
  }

  /** Empty where nothing is left to try, or nothing more is worth it. */
  Optional<Step> next(Likeness likeness) {
    if (evidence.exhausted() || settled(likeness)) {
      return Optional.empty();
    }
    for (Step step : steps()) {
      if (evidence.calls().stream().noneMatch(c -> same(c, step.call()))) {
        return Optional.of(step);
      }
    }
    return Optional.empty();
  }

  /** Calls that differ in case and blanks alone are one call to the engine. */
  private static boolean same(ToolCall a, ToolCall b) {
    return a.tool().equals(b.tool()) && a.attributes().equals(b.attributes())
        && folded(a.query()).equals(folded(b.query()));
  }

  private static String folded(String query) {
    return query.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
  }

  /** The planned searches are done and all is covered, or nothing found is near the question. */
  private boolean settled(Likeness likeness) {
    int made = evidence.calls().size();
    int planned = planned().size();
    if (made >= planned && Coverage.all(question, evidence, ranking, likeness)) {
      return true;
    }
    List<Found> best = ranking.best(settings.passagesCited());
    return made > planned && !Sufficiency.answers(
        question, ranking, best, likeness, evidence.few(settings.hits()));
  }

  private List<Step> planned() {
    List<Step> steps = new ArrayList<>();
    steps.add(new Step(first(settings, tool, question), "the whole question"));
    question.phrasings().stream().skip(1)
        .forEach(p -> steps.add(step(p.text(), "the question in English words")));
    if (question.facets().size() > 1) {
      question.facets().stream().limit(FACETS)
          .forEach(f -> steps.add(step(f.phrasings().getLast().text(), "this part: " + f.text())));
    }
    return steps;
  }

  private List<Step> steps() {
    List<Step> steps = planned();
    List<Ranking.Ranked> best = ranking.all();
    int after = evidence.calls().size() - steps.size();
    if (!best.isEmpty() && (after <= 0 || after == 1 + DOCUMENTS)) {
      steps.add(step(learnt(best), "words of the passages found so far"));
    } else if (!best.isEmpty()) {
      documents(best).forEach(d -> steps.add(new Step(
          search(tool, asked(question), HITS_IN_DOCUMENT, Map.of("document", d)),
          "the document that looks best: " + d)));
    }
    return steps;
  }

  private Step step(String text, String why) {
    return new Step(search(tool, text, settings.hits(), Map.of()), why);
  }

  private static String asked(Question question) {
    String text = question.phrasings().getLast().text();
    return text.isBlank() ? "?" : text;
  }

  /** The question with words that stand in many of the best passages, headings first. */
  private String learnt(List<Ranking.Ranked> best) {
    Map<String, Double> weights = new LinkedHashMap<>();
    Map<String, String> surfaces = new LinkedHashMap<>();
    for (Ranking.Ranked ranked : best.subList(0, Math.min(LEARNT_FROM, best.size()))) {
      Found passage = ranked.found();
      learn(passage.title(), HEADING, weights, surfaces);
      learn(passage.text(), 1, weights, surfaces);
    }
    List<String> words = new ArrayList<>();
    weights.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(LEARNT)
        .forEach(e -> words.add(surfaces.get(e.getKey())));
    return bounded(asked(question) + " " + String.join(" ", words));
  }

  private void learn(
      String text, double times, Map<String, Double> weights, Map<String, String> surfaces) {
    Set<String> seen = new LinkedHashSet<>();
    for (Words.Word word : Words.all(text)) {
      boolean letters = word.surface().codePoints().anyMatch(Character::isLetter);
      if (letters && Words.carries(word) && seen.add(word.stem()) && !question.says(word.stem())) {
        weights.merge(word.stem(), times * (RARITY + ranking.weight(word.stem())), Double::sum);
        surfaces.putIfAbsent(word.stem(), word.surface());
      }
    }
  }

  private List<String> documents(List<Ranking.Ranked> best) {
    Map<String, Double> scores = new LinkedHashMap<>();
    Map<String, Integer> counted = new LinkedHashMap<>();
    for (Ranking.Ranked ranked : best) {
      String source = ranked.found().source();
      int n = counted.merge(source, 1, Integer::sum);
      if (ranked.found().key().isPresent() && n <= COUNTED) {
        scores.merge(source, ranked.score() / n, Double::sum);
      }
    }
    return scores.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(2L * DOCUMENTS).map(Map.Entry::getKey).toList();
  }

  private static ToolCall search(
      String tool, String text, int limit, Map<String, String> more) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put(LIMIT, String.valueOf(limit));
    attributes.putAll(more);
    return new ToolCall(tool, bounded(text), attributes);
  }

  private static String bounded(String text) {
    if (text.length() <= QUERY_CHARS_MAX) {
      return text.strip();
    }
    int cut = QUERY_CHARS_MAX;
    cut -= Character.isHighSurrogate(text.charAt(cut - 1)) ? 1 : 0;
    return text.substring(0, cut).strip();
  }
}
