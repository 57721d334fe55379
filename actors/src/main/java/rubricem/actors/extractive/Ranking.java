package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import rubricem.actors.extractive.Evidence.Found;

/**
 * How well each passage found fits the question and each of its facets: by words, weighted by how
 * rare they are among everything found; by meaning where vectors are known; by how high the
 * searches put it; and by whether it holds the kind of answer that is wanted. Pure.
 */
final class Ranking {
  private static final double BY_WORDS = 1.2;
  private static final double BY_MEANING = 1.0;
  private static final double BY_VOTES = 1.0;

  /** A passage that serves one facet well may serve the whole question less. */
  private static final double BY_FACET = 0.6;

  private static final double BY_KIND = 0.15;

  /** A passage that defines what is named speaks of nothing else. */
  private static final double BY_DEFINITION = 0.8;

  /** A passage of the same document as one taken before has to be this much better. */
  private static final double SAME_SOURCE = 0.15;

  /** What one facet was already given counts for less each time. */
  private static final double FACET_SERVED = 0.6;

  /** Below both a passage does not speak of a facet at all. */
  private static final double ABOUT_BY_WORDS = 0.4;
  private static final double ABOUT = 0.3;

  /** The same for a part taken with what it leans on, longer and less near by chance. */
  private static final double ABOUT_LEANING = 0.4;

  /** Two parts of a question less near than this ask of different things. */
  private static final double RELATED = 0.3;

  private final Question question;
  private final Likeness likeness;
  private final List<Found> found;
  private final Map<String, Set<String>> terms = new HashMap<>();
  private final Map<String, Integer> documents = new HashMap<>();
  private final Map<String, Boolean> amounts = new HashMap<>();
  private final Map<String, Boolean> defaults = new HashMap<>();
  private double votesMax;

  /** @param score the higher the better; comparable within one ranking */
  record Ranked(Found found, double score) {}

  Ranking(Question question, List<Found> found, Likeness likeness) {
    this.question = question;
    this.likeness = likeness;
    this.found = found;
    for (Found passage : found) {
      Set<String> all = new HashSet<>(Words.terms(passage.text()));
      all.addAll(Words.terms(passage.title()));
      terms.put(passage.id(), all);
      all.forEach(t -> documents.merge(t, 1, Integer::sum));
      votesMax = Math.max(votesMax, passage.votes());
    }
  }

  /** How rare a word is among what was found; words found nowhere weigh most. */
  double weight(String term) {
    int n = found.size();
    int df = documents.getOrDefault(term, 0);
    return Math.log(1 + (n - df + 0.5) / (df + 0.5)) + 0.1;
  }

  /** The share of passages that hold the word. */
  double spread(String term) {
    return found.isEmpty() ? 0 : (double) documents.getOrDefault(term, 0) / found.size();
  }

  Set<String> terms(Found passage) {
    return terms.getOrDefault(passage.id(), Set.of());
  }

  /** Share of the weight of {@code wanted} that the passage's words carry, 0 to 1. */
  double byWords(Set<String> wanted, Found passage) {
    return share(wanted, terms(passage));
  }

  /** Share of the weight of {@code wanted} that {@code words} carry, 0 to 1. */
  double share(Set<String> wanted, Set<String> words) {
    double all = 0;
    double there = 0;
    for (String term : wanted) {
      double weight = weight(term);
      all += weight;
      there += words.contains(term) ? weight : 0;
    }
    return all == 0 ? 0 : there / all;
  }

  double fit(Facet facet, Found passage) {
    return BY_WORDS * words(facet, passage)
        + BY_MEANING * meaning(meant(facet), passage.whole())
        + kind(facet, passage);
  }

  /** A facet with what it leans on; by itself where the part before is of something else. */
  List<Phrasing> meant(Facet facet) {
    boolean leans = facet.before().stream().allMatch(b -> {
      String own = facet.own().getFirst().text();
      return !likeness.known(own, b) || likeness.of(own, b) >= RELATED;
    });
    return leans ? facet.phrasings() : facet.own();
  }

  double words(Facet facet, Found passage) {
    double most = 0;
    for (Phrasing own : facet.own()) {
      most = Math.max(most, byWords(own.terms(), passage));
    }
    return most;
  }

  private double kind(Facet facet, Found passage) {
    return switch (facet.wanted()) {
      case ANYTHING -> 0;
      case DATE, AMOUNT -> amounts.computeIfAbsent(
          passage.id(), id -> Wanting.statesAmount(passage.text())) ? BY_KIND / 2 : 0;
      case DEFAULT -> defaults.computeIfAbsent(
          passage.id(), id -> Wanting.statesDefault(passage.text())) ? BY_KIND : 0;
    };
  }

  /** Whether the last heading of a passage, or its first line, begins with one of the names. */
  boolean defines(Set<String> names, Found passage) {
    String heading = passage.title().substring(passage.title().lastIndexOf('›') + 1);
    return !names.isEmpty()
        && (begins(heading, names) || begins(passage.text().lines().findFirst().orElse(""), names));
  }

  /** Whether the heading of a passage says that it defines something that is not named. */
  boolean definesOther(Set<String> names, Found passage) {
    String heading = passage.title().substring(passage.title().lastIndexOf('›') + 1);
    List<Words.Word> words = Words.all(heading);
    return names.stream().anyMatch(n -> n.indexOf('_') > 0) && !words.isEmpty()
        && words.getFirst().surface().indexOf('_') > 0
        && !names.contains(words.getFirst().stem());
  }

  private static boolean begins(String line, Set<String> names) {
    List<Words.Word> words = Words.all(line);
    return !words.isEmpty() && words.getFirst().surface().indexOf('_') > 0
        && names.contains(words.getFirst().stem());
  }

  double fit(Found passage) {
    double votes = votesMax == 0 ? 0 : passage.votes() / votesMax;
    return BY_WORDS * words(passage) + BY_MEANING * meaning(passage) + BY_VOTES * votes
        + (defines(question.names(), passage) ? BY_DEFINITION : 0);
  }

  /** Share of the question's words in the passage, in the phrasing that fits it best. */
  double words(Found passage) {
    double most = 0;
    for (Phrasing phrasing : question.phrasings()) {
      most = Math.max(most, byWords(phrasing.terms(), passage));
    }
    return most;
  }

  double meaning(Found passage) {
    return meaning(question.phrasings(), passage.whole());
  }

  double meaning(List<Phrasing> phrasings, String text) {
    double most = 0;
    for (Phrasing phrasing : phrasings) {
      most = Math.max(most, likeness.of(phrasing.text(), text));
    }
    return most;
  }

  /** All passages, the fittest for the whole question first. */
  List<Ranked> all() {
    List<Ranked> ranked = new ArrayList<>();
    found.forEach(p -> ranked.add(new Ranked(p, fit(p))));
    ranked.sort(Comparator.comparingDouble(Ranked::score).reversed());
    return ranked;
  }

  /**
   * Passages to answer from: each time the one that adds most, where a facet or a document that was
   * served before adds less.
   */
  List<Found> best(int limit) {
    List<Fit> rest = new ArrayList<>(found.stream().map(this::fits).toList());
    List<Found> taken = new ArrayList<>();
    double[] left = new double[question.facets().size()];
    Arrays.fill(left, 1);
    Map<String, Integer> sources = new HashMap<>();
    while (taken.size() < limit && !rest.isEmpty()) {
      Fit best = null;
      double most = Double.NEGATIVE_INFINITY;
      for (Fit fit : rest) {
        double score = fit.whole() + BY_FACET * fit.served(left)
            - SAME_SOURCE * sources.getOrDefault(fit.passage().source(), 0);
        if (score > most) {
          most = score;
          best = fit;
        }
      }
      if (best == null) {
        break;
      }
      int facet = closest(best.passage());
      if (facet >= 0) {
        left[facet] *= FACET_SERVED;
      }
      sources.merge(best.passage().source(), 1, Integer::sum);
      rest.remove(best);
      taken.add(best.passage());
    }
    return taken;
  }

  /** How a passage fits, reckoned once: whole questions are ranked in rounds. */
  private record Fit(Found passage, double whole, List<Double> facets) {
    double served(double[] left) {
      double most = 0;
      for (int i = 0; i < left.length; i++) {
        most = Math.max(most, left[i] * facets.get(i));
      }
      return most;
    }
  }

  private Fit fits(Found passage) {
    return new Fit(
        passage, fit(passage), question.facets().stream().map(f -> fit(f, passage)).toList());
  }

  /** The facet a passage fits best, by its index; -1 where there is none. */
  int closest(Found passage) {
    return closest(passage, question.facets());
  }

  /** The same among {@code facets}; the index is that of the question's facets. */
  int closest(Found passage, List<Facet> facets) {
    int best = -1;
    double most = 0;
    for (Facet facet : facets) {
      double fit = fit(facet, passage);
      if (best < 0 || fit > most) {
        most = fit;
        best = question.facets().indexOf(facet);
      }
    }
    return best;
  }

  /** Whether a passage speaks of a facet at all. */
  boolean about(Facet facet, Found passage) {
    return words(facet, passage) >= ABOUT_BY_WORDS
        || meaning(facet.own(), passage.whole()) >= ABOUT
        || meaning(meant(facet), passage.whole()) >= ABOUT_LEANING;
  }
}
