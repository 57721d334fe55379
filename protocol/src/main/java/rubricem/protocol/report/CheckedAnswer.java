package rubricem.protocol.report;

import java.util.List;

/**
 * A bound answer with what is known of each claim. A citation without verdict is unchecked, never
 * dropped and never supported.
 */
public record CheckedAnswer(BoundAnswer bound, List<ClaimVerdict> verdicts) {
  public static final CheckedAnswer NOTHING = new CheckedAnswer(BoundAnswer.NOTHING, List.of());

  /** The answer before anybody looked at it. */
  public static CheckedAnswer unchecked(BoundAnswer bound) {
    return new CheckedAnswer(bound, List.of());
  }

  public CitationCheck check() {
    return CitationCheck.NONE;
  }

  /** Numbered in the order of first use; one entry for each pair of a claim and a passage. */
  public List<Citation> citations() {
    return List.of();
  }
}
