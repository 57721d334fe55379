package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
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
  private static final int HITS_IN_DOCUMENT = 8;
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

  Optional<Step> next() {
    for (Step step : steps()) {
      if (!evidence.calls().contains(step.call())) {
        return Optional.of(step);
      }
    }
    return Optional.empty();
  }

  private List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    steps.add(new Step(first(settings, tool, question), "the whole question"));
    if (question.facets().size() > 1) {
      for (Facet facet : question.facets()) {
        steps.add(new Step(
            search(tool, facet.text(), settings.hits(), Map.of()), "this part by itself: "
                + facet.text()));
      }
    }
    List<Ranking.Ranked> best = ranking.all();
    if (!best.isEmpty()) {
      steps.add(new Step(
          search(tool, learnt(best), settings.hits(), Map.of()),
          "words of the passages found so far"));
      documents(best).forEach(d -> steps.add(new Step(
          search(tool, question.text(), HITS_IN_DOCUMENT, Map.of("document", d)),
          "the document that looks best: " + d)));
    }
    return steps;
  }

  /** The question's names, and words that stand in most of the best passages but rarely else. */
  private String learnt(List<Ranking.Ranked> best) {
    Map<String, Double> weights = new LinkedHashMap<>();
    Map<String, String> surfaces = new LinkedHashMap<>();
    for (Ranking.Ranked ranked : best.subList(0, Math.min(LEARNT_FROM, best.size()))) {
      Found passage = ranked.found();
      Set<String> seen = new LinkedHashSet<>();
      for (Words.Word word : Words.all(passage.title() + "\n" + passage.text())) {
        if (Words.carries(word) && seen.add(word.stem())
            && !question.terms().contains(word.stem())) {
          weights.merge(word.stem(), ranking.weight(word.stem()), Double::sum);
          surfaces.putIfAbsent(word.stem(), word.surface());
        }
      }
    }
    List<String> words = new ArrayList<>();
    weights.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(LEARNT)
        .forEach(e -> words.add(surfaces.get(e.getKey())));
    return bounded(question.text() + " " + String.join(" ", words));
  }

  private List<String> documents(List<Ranking.Ranked> best) {
    Set<String> documents = new LinkedHashSet<>();
    for (Ranking.Ranked ranked : best) {
      if (ranked.found().key().isPresent() && documents.size() < DOCUMENTS) {
        documents.add(ranked.found().source());
      }
    }
    return List.copyOf(documents);
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
