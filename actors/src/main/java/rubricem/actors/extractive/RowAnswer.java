package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The cell of a row that answers: the one below the name that is asked for. A cell that the
 * question names tells which row is meant and is no answer. Empty where no cell or more than one
 * could be meant, and where the one meant is blank: its neighbour is no answer either. Pure.
 */
final class RowAnswer {
  private static final Set<String> ORDINALS =
      Set.of("first", "second", "third", "last", "erste", "ersten", "erster", "letzte", "letzten");

  /** Asks for a person, who is no number. */
  private static final Pattern WHO =
      Pattern.compile(
          "\\b(?:whom?|wer|wem|wen|qui|quién)\\b",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CHARACTER_CLASS);

  private static final Pattern BLANK =
      Pattern.compile("[^\\p{L}\\p{N}]*|n\\.?/?a\\.?|k\\.? ?a\\.?", Pattern.CASE_INSENSITIVE);

  /** @param column the words of the name of its column */
  private record Cell(String text, Set<String> column) {
    long shared(Set<String> asked) {
      return column.stream().filter(asked::contains).count();
    }

    /** Empty, or a sign that stands for nothing. */
    boolean blank() {
      return BLANK.matcher(text).matches();
    }
  }

  private RowAnswer() {}

  /** @param names of the columns; empty where the table has none */
  static Optional<String> of(
      Question question, Facet facet, List<String> cells, List<String> names) {
    Set<String> asked = new LinkedHashSet<>();
    facet.phrasings().forEach(p -> asked.addAll(p.terms()));
    asked.addAll(ordinals(facet.text()));
    boolean headed = names.size() == cells.size();
    List<Cell> open = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      Set<String> said = Words.terms(cells.get(i));
      if (!said.isEmpty() && said.stream().allMatch(question::says)) {
        asked.removeAll(said);
      } else {
        open.add(new Cell(cells.get(i), headed ? terms(names.get(i)) : Set.of()));
      }
    }
    boolean who = WHO.matcher(facet.text()).find();
    if (who) {
      open.removeIf(c -> c.text().codePoints().anyMatch(Character::isDigit));
    }
    List<Cell> best = best(open, asked);
    if (!best.isEmpty()) {
      return best.stream().anyMatch(Cell::blank) ? Optional.empty() : only(best, facet);
    }
    open.removeIf(Cell::blank);
    boolean alone = open.size() == 1 && (who || cells.size() == 2);
    return alone || facet.wanted() != Facet.Wanted.ANYTHING ? only(open, facet) : Optional.empty();
  }

  private static Set<String> terms(String name) {
    Set<String> terms = new LinkedHashSet<>(Words.terms(name));
    terms.addAll(ordinals(name));
    return terms;
  }

  /** Words that mean little in a sentence but tell columns apart. */
  private static List<String> ordinals(String text) {
    return Words.all(text).stream().map(w -> Words.lower(w.surface()))
        .filter(ORDINALS::contains).toList();
  }

  /** Below the name that shares most with what is asked, and says least beside it. */
  private static List<Cell> best(List<Cell> open, Set<String> asked) {
    Comparator<Cell> nearer =
        Comparator.<Cell>comparingLong(c -> c.shared(asked))
            .thenComparing(c -> c.column().size(), Comparator.reverseOrder());
    return open.stream().filter(c -> c.shared(asked) > 0).max(nearer)
        .map(b -> open.stream().filter(c -> nearer.compare(c, b) == 0).toList()).orElse(List.of());
  }

  /** The only one, or the only one that holds the kind of value that is wanted. */
  private static Optional<String> only(List<Cell> cells, Facet facet) {
    List<Cell> left = cells.size() == 1 ? cells
        : cells.stream().filter(c -> Wanting.couldBe(facet.wanted(), c.text())).toList();
    return left.size() == 1 ? Optional.of(left.getFirst().text()) : Optional.empty();
  }
}
