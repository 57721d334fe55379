package rubricem.protocol.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;

/**
 * A bound answer with what is known of each claim. A citation without verdict is unchecked, never
 * dropped and never supported. The numbers of a report are given here and nowhere else: by the
 * order in which passages are first used, without gaps.
 */
public record CheckedAnswer(BoundAnswer bound, List<ClaimVerdict> verdicts) {
  public static final CheckedAnswer NOTHING = new CheckedAnswer(BoundAnswer.NOTHING, List.of());

  private record Pair(int claim, String snippet) {}

  /** The answer before anybody looked at it. */
  public static CheckedAnswer unchecked(BoundAnswer bound) {
    return new CheckedAnswer(bound, List.of());
  }

  public CitationCheck check() {
    return check(citations());
  }

  /** @param citations {@link #citations()}, which costs more than what is made of it */
  CitationCheck check(List<Citation> citations) {
    int checked = 0;
    int supported = 0;
    for (Citation citation : citations) {
      checked += citation.state() == SupportState.UNCHECKED ? 0 : 1;
      supported += citation.state() == SupportState.SUPPORTED ? 1 : 0;
    }
    return new CitationCheck(citations.size(), checked, supported, bound.removed());
  }

  /** Numbered in the order of first use; one entry for each pair of a claim and a passage. */
  public List<Citation> citations() {
    Map<Pair, SupportScore> scores = new HashMap<>();
    verdicts.forEach(v -> scores.put(new Pair(v.claim(), v.snippetId()), v.score()));
    Map<String, Integer> numbers = numbers();
    List<Citation> citations = new ArrayList<>();
    for (BoundClaim claim : bound.claims()) {
      for (Snippet snippet : claim.snippets()) {
        SupportScore score = scores.get(new Pair(claim.index(), snippet.id()));
        citations.add(citation(claim, snippet, numbers.get(snippet.id()),
            score == null
                ? ClaimSupport.of(claim.text(), snippet.passage().text()).unchecked() : score));
      }
    }
    return List.copyOf(citations);
  }

  private static Citation citation(
      BoundClaim claim, Snippet snippet, int number, SupportScore score) {
    Passage passage = snippet.passage();
    String url = LinkTargets.linkable(passage.url()) ? passage.url() : "";
    return new Citation(
        number, snippet.id(), claim.text(), score.quote(), title(passage), url,
        passage.document(), score.state());
  }

  private static String title(Passage passage) {
    String title = MarkdownText.line(passage.title());
    return title.isEmpty() ? MarkdownText.line(passage.document()) : title;
  }

  /** The entries of the reference list, in the order of their numbers. */
  public List<Reference> references() {
    return references(citations());
  }

  List<Reference> references(List<Citation> citations) {
    Map<String, List<Reference.Use>> uses = new LinkedHashMap<>();
    Map<String, Citation> first = new HashMap<>();
    for (Citation c : citations) {
      first.putIfAbsent(c.snippetId(), c);
      uses.computeIfAbsent(c.snippetId(), id -> new ArrayList<>())
          .add(new Reference.Use(c.claim(), c.quote(), c.state()));
    }
    Map<String, Snippet> snippets = new HashMap<>();
    bound.claims().forEach(c -> c.snippets().forEach(s -> snippets.put(s.id(), s)));
    List<Reference> references = new ArrayList<>();
    uses.forEach((id, list) -> {
      Citation c = first.get(id);
      Passage passage = snippets.get(id).passage();
      references.add(new Reference(
          c.number(), id, c.title(), MarkdownText.line(passage.document()),
          MarkdownText.line(passage.position()), c.url(), List.copyOf(list)));
    });
    return List.copyOf(references);
  }

  /** The number of each cited passage by its snippet id, in the order of the numbers. */
  Map<String, Integer> numbers() {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    for (BoundClaim claim : bound.claims()) {
      for (Snippet snippet : claim.snippets()) {
        numbers.putIfAbsent(snippet.id(), numbers.size() + 1);
      }
    }
    return numbers;
  }

  /** The numbers behind each claim, by the claim's index. */
  List<List<Integer>> numbersOfClaims() {
    Map<String, Integer> numbers = numbers();
    return bound.claims().stream()
        .map(c -> c.snippets().stream().map(s -> numbers.get(s.id())).toList())
        .toList();
  }
}
