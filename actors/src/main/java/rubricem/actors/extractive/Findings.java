package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import rubricem.actors.extractive.Evidence.Found;

/**
 * What an answer will say: for each facet the sentences that answer it, with the passages they
 * stand in. A sentence stands once, however many passages or facets it fits. A facet without
 * sentences was not found.
 */
record Findings(Question question, List<Group> groups) {
  /** Two sentences that share this much of their words say the same. */
  private static final double SAME = 0.8;

  /** A further sentence of a passage has to be nearly as good as its best. */
  private static final double NEARLY = 0.7;

  /** Measured on the manual: up to half nothing that was needed is lost, from 0.6 on pages are. */
  private static final double BEHIND = 0.5;

  record Group(Facet facet, List<Quoted> quotes) {}

  /**
   * @param label the term a definition or row defines; may be empty
   * @param sentences in the order of the passage
   * @param best the one of them that fits best
   * @param score how well that one fits
   */
  record Quoted(
      Found passage, String label, List<String> sentences, String best, double score) {}

  boolean empty() {
    return groups.stream().allMatch(g -> g.quotes().isEmpty());
  }

  List<Facet> missing() {
    return groups.stream().filter(g -> g.quotes().isEmpty()).map(Group::facet).toList();
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
    List<Facet> spoken =
        question.facets().stream()
            .filter(f -> passages.stream().anyMatch(p -> ranking.about(f, p))).toList();
    List<Set<String>> said = new ArrayList<>();
    List<Found> taken = new ArrayList<>();
    for (Found passage : passages) {
      int closest = ranking.closest(passage, spoken);
      if (closest >= 0 && taken.size() < most) {
        Facet facet = question.facets().get(closest);
        Optional<Quoted> quoted = new Pick(question, facet, ranking).of(passage, said, each);
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
        question.facets().stream().map(f -> new Group(f, near(quotes.get(f)))).toList());
  }

  /** A passage whose best sentence is far behind the best of its group only looks like an answer. */
  private static List<Quoted> near(List<Quoted> group) {
    double best = group.stream().mapToDouble(Quoted::score).max().orElse(0);
    return group.stream().filter(q -> q.score() >= BEHIND * best).toList();
  }

  /** A passage quoted for another facet may answer this one with another sentence. */
  private static Optional<Quoted> second(
      Question question, Facet facet, Ranking ranking, List<Found> taken, List<Set<String>> said) {
    return taken.stream()
        .filter(p -> ranking.about(facet, p))
        .max(Comparator.comparingDouble(p -> ranking.fit(facet, p)))
        .flatMap(p -> new Pick(question, facet, ranking).of(p, said, 1));
  }

  /** Chooses sentences of a passage for one facet. */
  private record Pick(Question question, Facet facet, Ranking ranking) {
    private static final int LABEL_CHARS_MAX = 80;

    private record Scored(String sentence, int place, double score) {}

    /** Empty where every sentence was said before or none can be quoted. */
    Optional<Quoted> of(Found passage, List<Set<String>> said, int each) {
      String label = label(passage);
      List<String> all = new ArrayList<>(Sentences.of(passage.text()));
      if (all.size() > 1) {
        all.remove(label);
      }
      List<Scored> scored = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        scored.add(new Scored(all.get(i), i, score(all.get(i))));
      }
      scored.sort(Comparator.comparingDouble(Scored::score).reversed());
      List<Scored> taken = new ArrayList<>();
      for (Scored candidate : scored) {
        boolean enough = taken.size() >= each
            || !taken.isEmpty() && candidate.score() < NEARLY * taken.getFirst().score();
        Set<String> terms = Words.terms(candidate.sentence());
        if (!enough && said.stream().noneMatch(s -> same(s, terms))) {
          taken.add(candidate);
          said.add(terms);
        }
      }
      String best = taken.isEmpty() ? "" : taken.getFirst().sentence();
      double top = taken.isEmpty() ? 0 : taken.getFirst().score();
      taken.sort(Comparator.comparingInt(Scored::place));
      List<String> sentences = taken.stream().map(Scored::sentence).toList();
      return sentences.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Quoted(
                  passage, sentences.contains(label) ? "" : label, sentences, best, top));
    }

    private double score(String sentence) {
      Set<String> terms = Words.terms(sentence);
      double kind = switch (facet.wanted()) {
        case ANYTHING -> 0;
        case AMOUNT -> sentence.chars().anyMatch(Character::isDigit) ? 0.1 : 0;
        case DEFAULT -> Wanting.statesDefault(sentence) ? 0.4 : 0;
      };
      boolean whole = terms.size() > 3;
      return 0.01 + kind + (whole ? 0.1 : 0)
          + share(facet.own(), terms)
          + 0.5 * share(question.phrasings(), terms)
          + ranking.meaning(facet.phrasings(), sentence)
          + 0.5 * ranking.meaning(question.phrasings(), sentence);
    }

    private double share(List<Phrasing> wanted, Set<String> words) {
      return wanted.stream().mapToDouble(w -> ranking.share(w.terms(), words)).max().orElse(0);
    }

    private static boolean same(Set<String> a, Set<String> b) {
      Set<String> both = new HashSet<>(a);
      both.retainAll(b);
      int fewer = Math.min(a.size(), b.size());
      return fewer > 0 && both.size() >= SAME * Math.max(a.size(), b.size());
    }

    /** The short first line of a definition. */
    private String label(Found passage) {
      int end = passage.text().indexOf('\n');
      String first = end < 0 ? "" : passage.text().substring(0, end).strip();
      boolean fits = !first.isEmpty() && first.length() <= LABEL_CHARS_MAX
          && ".!?:;,。".indexOf(first.charAt(first.length() - 1)) < 0
          && Sentences.of(first).equals(List.of(first));
      return fits ? first : "";
    }
  }
}
