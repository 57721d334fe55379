package rubricem.protocol.report;

import java.util.List;
import java.util.Optional;

/**
 * How far a passage supports a claim, with the figures that decided it.
 *
 * @param quote the sentence of the passage that fits best, verbatim; blank only for a blank passage
 * @param lexical share of the claim's content words that stand in the quote, 0 to 1
 * @param cosine nearness in meaning of claim and quote; empty where no vectors were there
 * @param missingNumbers numbers of the claim that are nowhere in the passage
 * @param polarityDiffers one of claim and quote is negated and the other is not
 */
public record SupportScore(
    SupportState state,
    String quote,
    double lexical,
    Optional<Double> cosine,
    List<String> missingNumbers,
    boolean polarityDiffers) {

  /** The score with the nearness in meaning of the claim and the passage's best sentence. */
  public static SupportScore of(String claim, String passage, Optional<Double> cosine) {
    ClaimSupport support = ClaimSupport.of(claim, passage);
    return cosine.isEmpty() || support.candidates().isEmpty()
        ? support.unchecked()
        : support.checked(List.of(cosine.get()));
  }
}
