package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import rubricem.actors.extractive.Evidence.Found;
import rubricem.actors.extractive.Findings.Quoted;

/**
 * Chooses the sentences of a passage that answer one facet: the best, and those nearly as good.
 * Where a value is wanted and the best does not hold it, the one that follows and does is quoted
 * with it: a definition first says what something is, then what it is set to.
 */
record SentencePick(Question question, Facet facet, Ranking ranking) {
  private static final int LABEL_CHARS_MAX = 80;

  /** A further sentence of a passage has to be nearly as good as its best. */
  private static final double NEARLY = 0.7;

  /** How far behind its subject a value may stand. */
  private static final int VALUE_WITHIN = 3;

  /** A sentence of the definition of what is named need not name it. */
  private static final double DEFINED = 0.5;

  private record Scored(String sentence, int place, double score) {}

  /** Empty where every sentence was said before or none can be quoted. */
  Optional<Quoted> of(Found passage, List<Said> said, int each) {
    String label = label(passage);
    List<String> all = new ArrayList<>(Sentences.of(passage.text()));
    if (all.size() > 1) {
      all.remove(label);
    }
    all = Codes.of(facet).withoutOthers(all, passage);
    List<Scored> taken = taken(passage, all, said, each);
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    Scored best = taken.getFirst();
    value(all, best).filter(v -> said.stream().noneMatch(Said.of(v.sentence())::same))
        .ifPresent(v -> {
          if (taken.size() > 1 && taken.size() >= each) {
            taken.removeLast();
          }
          said.add(Said.of(v.sentence()));
          taken.add(v);
        });
    taken.sort(Comparator.comparingInt(Scored::place));
    List<String> sentences = taken.stream().map(Scored::sentence).toList();
    return Optional.of(
        new Quoted(
            passage, sentences.contains(label) ? "" : label, sentences, best.sentence(),
            best.score(), new Meeting(facet, ranking).by(passage, label, sentences)));
  }

  private List<Scored> taken(
      Found passage, List<String> all, List<Said> said, int each) {
    List<Scored> scored = new ArrayList<>();
    boolean defines = ranking.defines(facet.names(), passage);
    boolean other = ranking.definesOther(facet.names(), passage);
    TableLines tables = TableLines.of(passage.text());
    for (int i = 0; i < all.size(); i++) {
      double kind = other ? 0 : kind(all.get(i));
      double score = kind + score(all.get(i), tables.header(all.get(i)), defines);
      scored.add(new Scored(all.get(i), i, tables.isHeader(all.get(i)) ? score / 4 : score));
    }
    scored.sort(Comparator.comparingDouble(Scored::score).reversed());
    List<Scored> taken = new ArrayList<>();
    for (Scored candidate : scored) {
      boolean enough = taken.size() >= each
          || !taken.isEmpty() && candidate.score() < NEARLY * taken.getFirst().score();
      Said says = Said.of(candidate.sentence());
      if (!enough && said.stream().noneMatch(says::same)) {
        taken.add(candidate);
        said.add(says);
      }
    }
    return taken;
  }

  /** The sentence behind the best that states the value, where the best states none. */
  private Optional<Scored> value(List<String> all, Scored best) {
    if (Wanting.states(facet.wanted(), best.sentence())) {
      return Optional.empty();
    }
    for (int i = best.place() + 1; i < all.size() && i <= best.place() + VALUE_WITHIN; i++) {
      if (Wanting.states(facet.wanted(), all.get(i))) {
        return Optional.of(new Scored(all.get(i), i, 0));
      }
    }
    return Optional.empty();
  }

  private double score(String sentence, Optional<String> header, boolean defines) {
    Set<String> terms = new LinkedHashSet<>(Words.terms(sentence));
    int said = terms.size();
    header.ifPresent(h -> terms.addAll(Words.terms(h)));
    if (defines) {
      facet.names().forEach(n -> terms.addAll(Words.terms(n)));
    }
    boolean whole = said > 3;
    return 0.01 + (defines ? DEFINED : 0) + (whole ? 0.1 : 0)
        + share(facet.own(), terms)
        + 0.5 * share(question.phrasings(), terms)
        + ranking.meaning(ranking.meant(facet), sentence)
        + 0.5 * ranking.meaning(question.phrasings(), sentence);
  }

  /** A value in the definition of something else is the value of that. */
  private double kind(String sentence) {
    return switch (facet.wanted()) {
      case ANYTHING -> 0;
      case AMOUNT, DATE -> sentence.chars().anyMatch(Character::isDigit) ? 0.1 : 0;
      case DEFAULT -> Wanting.statesDefault(sentence) ? 0.4 : 0;
    };
  }

  private double share(List<Phrasing> wanted, Set<String> words) {
    return wanted.stream()
        .mapToDouble(w -> (ranking.share(w.terms(), words) + evenly(w.terms(), words)) / 2)
        .max().orElse(0);
  }

  /** What everything found speaks of is rare nowhere, and yet it is the subject. */
  private static double evenly(Set<String> wanted, Set<String> words) {
    return wanted.isEmpty()
        ? 0
        : (double) wanted.stream().filter(words::contains).count() / wanted.size();
  }

  /** The short first line of a definition, or the header of a table; no row and no value. */
  private static String label(Found passage) {
    int end = passage.text().indexOf('\n');
    String line = end < 0 ? "" : passage.text().substring(0, end).strip();
    boolean row = TableLines.isRow(line);
    String first = row ? Sentences.bare(line) : line;
    boolean heads = row ? TableLines.of(passage.text()).isHeader(first) : !first.contains(": ");
    boolean fits = heads && !first.isEmpty() && first.length() <= LABEL_CHARS_MAX
        && ".!?:;,。".indexOf(first.charAt(first.length() - 1)) < 0
        && Sentences.of(first).equals(List.of(first));
    return fits ? first : "";
  }
}
