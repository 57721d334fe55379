package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.actors.extractive.Evidence.Found;

/**
 * What an answer will say: for each facet the sentences that answer it, with the passages they
 * stand in. A sentence stands once, however many passages or facets it fits. A facet without
 * sentences was not found.
 */
record Findings(Question question, List<Group> groups, List<String> notUnderstood) {
  /** Measured on the manual: up to half nothing that was needed is lost, from 0.6 on pages are. */
  private static final double BEHIND = 0.5;

  record Group(Facet facet, List<Quoted> quotes) {
    /** Those that carry the criterion of the facet. */
    List<Quoted> meeting() {
      return quotes.stream().filter(Quoted::meets).toList();
    }
  }

  /**
   * @param label the term a definition or row defines; may be empty
   * @param sentences in the order of the passage
   * @param best the one of them that fits best
   * @param score how well that one fits
   * @param meets whether it answers what is asked and is not only near it; see {@link Meeting}
   */
  record Quoted(
      Found passage, String label, List<String> sentences, String best, double score,
      boolean meets) {}

  boolean empty() {
    return groups.stream().allMatch(g -> g.quotes().isEmpty());
  }

  List<Facet> missing() {
    return groups.stream().filter(g -> g.quotes().isEmpty()).map(Group::facet).toList();
  }

  /** @param notUnderstood words of the question that stand in no passage and in no glossary */
  Findings {}

  Findings(Question question, List<Group> groups) {
    this(question, groups, List.of());
  }

  static Findings nothing(Question question) {
    return new Findings(
        question, question.facets().stream().map(f -> new Group(f, List.of())).toList());
  }

  /** @param most passages that are quoted; the first of {@code passages} that hold a sentence */
  static Findings of(
      Question question, Ranking ranking, List<Found> passages, int most, int each) {
    Map<Facet, List<Quoted>> quotes = new LinkedHashMap<>();
    question.facets().forEach(f -> quotes.put(f, new ArrayList<>()));
    boolean one = question.facets().size() == 1;
    List<Facet> spoken =
        question.facets().stream()
            .filter(f -> one || Sufficiency.named(f, ranking, passages))
            .filter(f -> passages.stream()
                .anyMatch(p -> ranking.about(f, p) && Precise.answers(f, ranking, p)))
            .toList();
    List<Said> said = new ArrayList<>();
    List<Found> taken = new ArrayList<>();
    for (Found passage : passages) {
      int closest = ranking.closest(passage, spoken);
      boolean answers = closest >= 0
          && Precise.answers(question.facets().get(closest), ranking, passage);
      if (answers && taken.size() < most) {
        Facet facet = question.facets().get(closest);
        Optional<Quoted> quoted =
            new SentencePick(question, facet, ranking).of(passage, said, each);
        quoted.ifPresent(quotes.get(facet)::add);
        quoted.ifPresent(q -> taken.add(passage));
      }
    }
    for (Facet facet : spoken) {
      if (quotes.get(facet).isEmpty()) {
        second(question, facet, ranking, taken, said).ifPresent(quotes.get(facet)::add);
      }
    }
    return new Findings(
        question,
        question.facets().stream().map(f -> new Group(f, near(quotes.get(f)))).toList(),
        question.unknown().stream()
            .filter(w -> Words.terms(w).stream().noneMatch(t -> ranking.spread(t) > 0)).toList());
  }

  /**
   * The most decisive sentence first. A passage whose best sentence is far behind the best of its
   * group only looks like an answer.
   */
  private static List<Quoted> near(List<Quoted> group) {
    double best = group.stream().mapToDouble(Quoted::score).max().orElse(0);
    return group.stream()
        .filter(q -> q.score() >= BEHIND * best)
        .sorted(Comparator.comparingDouble(Quoted::score).reversed())
        .toList();
  }

  /** Without the facets that want a value where none of their sentences states one. */
  Findings valued() {
    return new Findings(
        question,
        groups.stream()
            .map(g -> g.quotes().stream().flatMap(q -> q.sentences().stream())
                    .anyMatch(s -> Wanting.couldBe(g.facet().wanted(), s))
                ? g
                : new Group(g.facet(), List.of()))
            .toList(),
        notUnderstood);
  }

  /** A passage quoted for another facet may answer this one with another sentence. */
  private static Optional<Quoted> second(
      Question question, Facet facet, Ranking ranking, List<Found> taken, List<Said> said) {
    return taken.stream()
        .filter(p -> ranking.about(facet, p))
        .max(Comparator.comparingDouble(p -> ranking.fit(facet, p)))
        .flatMap(p -> new SentencePick(question, facet, ranking).of(p, said, 1));
  }
}
