package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import rubricem.actors.extractive.Evidence.Found;
import rubricem.actors.extractive.Findings.Group;
import rubricem.actors.extractive.Findings.Quoted;

/**
 * The few sentences of findings that make a short answer: the decisive one of each part, then the
 * next best where there is room. In the order asked. Pure.
 */
final class Digest {
  /** What is still a short paragraph. */
  private static final int SENTENCES_MAX = 4;

  /** One sentence alone seldom says when it holds. */
  private static final int SENTENCES_FEW = 3;

  /** A further sentence has to come this near to the best of its part. */
  private static final double NEAR = 0.75;

  record Sentence(Quoted quoted, String text, int group, double score) {
    Found passage() {
      return quoted.passage();
    }
  }

  private Digest() {}

  static List<Sentence> of(Findings findings) {
    List<Sentence> taken = new ArrayList<>();
    List<Sentence> rest = new ArrayList<>();
    for (int i = 0; i < findings.groups().size(); i++) {
      Group group = findings.groups().get(i);
      if (!group.quotes().isEmpty() && taken.size() < SENTENCES_MAX) {
        lead(group, i).forEach(s -> (taken.size() < SENTENCES_MAX ? taken : rest).add(s));
        further(group, i).filter(s -> !taken.contains(s)).forEach(rest::add);
      }
    }
    rest.sort(Comparator.comparingDouble(Sentence::score).reversed());
    int most = Math.max(SENTENCES_FEW, taken.size());
    rest.stream().limit(most - taken.size()).forEach(taken::add);
    taken.sort(Comparator.comparingInt(Sentence::group));
    return List.copyOf(taken);
  }

  /** The sentence that decides a part: of its best quote the one with the value wanted. */
  static Sentence decisive(Group group) {
    return lead(group, 0).getLast();
  }

  /** The best sentence, and the one that states its value where that is another. */
  private static List<Sentence> lead(Group group, int at) {
    Facet.Wanted wanted = group.facet().wanted();
    Quoted first = group.quotes().stream()
        .filter(q -> stating(q).anyMatch(s -> Wanting.couldBe(wanted, s)))
        .findFirst().orElse(group.quotes().getFirst());
    String best = stating(first).filter(first.best()::equals).findFirst()
        .or(() -> stating(first).findFirst()).orElse(first.best());
    List<Sentence> lead = new ArrayList<>();
    lead.add(new Sentence(first, best, at, first.score()));
    if (!Wanting.couldBe(wanted, best)) {
      stating(first).filter(s -> Wanting.couldBe(wanted, s)).findFirst()
          .ifPresent(s -> lead.add(new Sentence(first, s, at, first.score())));
    }
    return lead;
  }

  /** The header of a table states nothing. */
  private static Stream<String> stating(Quoted quoted) {
    TableLines tables = TableLines.of(quoted.passage().text());
    return quoted.sentences().stream().filter(s -> !tables.isHeader(s));
  }

  private static Stream<Sentence> further(Group group, int at) {
    double best = group.quotes().getFirst().score();
    return group.quotes().stream()
        .filter(q -> q.score() >= NEAR * best)
        .map(q -> new Sentence(q, q.best(), at, q.score()));
  }
}
