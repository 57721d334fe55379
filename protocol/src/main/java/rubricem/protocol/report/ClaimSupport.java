package rubricem.protocol.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One claim beside one passage: finds the sentences that fit it by words, and, once their nearness
 * in meaning is known, decides. A number of the claim that is nowhere in the passage, or a negation
 * on one side only, rules out {@link SupportState#SUPPORTED}; without nearness nothing is decided.
 * Pure; it measures likeness, not truth: the judge looks closer.
 */
public final class ClaimSupport {
  /** Sentences whose meaning is compared: those with most words in common. */
  private static final int CANDIDATES = 3;

  /** Where no word is in common, as between two languages, more sentences must be compared. */
  private static final int CANDIDATES_WITHOUT_WORDS = 6;

  /** Most of the claim's words are there and the sentence is about the same thing. */
  private static final double WORDS_ENOUGH = 0.6;
  private static final double SAME_SUBJECT = 0.35;

  /** Half reworded: some words are there and the meaning is close. */
  private static final double WORDS_SOME = 0.4;
  private static final double MEANING_CLOSE = 0.7;

  /** Fully reworded, or in another language: the meaning alone has to carry it. */
  private static final double MEANING_SAME = 0.85;

  private final List<Fit> fits;
  private final List<String> missingNumbers;

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /** More than likeness of words and of meaning can come to. */
  private static final double VERBATIM = 10;

  /** Of two sentences with as many words in common, the one with the claim's numbers is meant. */
  private static final double NUMBERS_COUNT = 0.25;

  /** @param rank orders sentences; decides nothing */
  private record Fit(String sentence, double lexical, double rank, boolean polarityDiffers) {}

  private ClaimSupport(List<Fit> fits, List<String> missingNumbers) {
    this.fits = fits;
    this.missingNumbers = missingNumbers;
  }

  public static ClaimSupport of(String claim, String passage) {
    TextWords words = TextWords.of(claim);
    List<Fit> all =
        TextSentences.of(passage).stream().map(s -> fit(claim, words, s)).sorted(
            Comparator.comparingDouble(Fit::rank).reversed()).toList();
    boolean shared = !all.isEmpty() && all.getFirst().rank > 0;
    int most = shared ? CANDIDATES : CANDIDATES_WITHOUT_WORDS;
    return new ClaimSupport(
        all.stream().limit(most).toList(), TextNumbers.missing(claim, passage));
  }

  private static Fit fit(String claim, TextWords claimed, String sentence) {
    TextWords words = TextWords.of(sentence);
    double lexical = claimed.coveredBy(words);
    boolean numbers = lexical > 0 && TextNumbers.missing(claim, sentence).isEmpty();
    return new Fit(
        sentence, lexical,
        lexical + (numbers ? NUMBERS_COUNT : 0) + (says(sentence, claim) ? VERBATIM : 0),
        claimed.negated() != words.negated());
  }

  /** A sentence that says the claim word by word is its evidence, whatever else is like it. */
  private static boolean says(String sentence, String claim) {
    String wanted = BLANKS.matcher(claim.strip()).replaceAll(" ");
    return !wanted.isEmpty() && BLANKS.matcher(sentence).replaceAll(" ").contains(wanted);
  }

  /** The sentences to compare by meaning, verbatim, best first by words; empty: nothing to read. */
  public List<String> candidates() {
    return fits.stream().map(Fit::sentence).toList();
  }

  /** The score when nobody compared meanings. */
  public SupportScore unchecked() {
    if (fits.isEmpty()) {
      return new SupportScore(
          SupportState.UNCHECKED, "", 0, Optional.empty(), missingNumbers, false);
    }
    Fit best = fits.getFirst();
    return new SupportScore(
        SupportState.UNCHECKED, best.sentence, best.lexical, Optional.empty(), missingNumbers,
        best.polarityDiffers);
  }

  /** @param cosines one for each of the first candidates, in order; at least one */
  public SupportScore checked(List<Double> cosines) {
    int best =
        IntStream.range(0, Math.min(cosines.size(), fits.size())).boxed()
            .max(Comparator.comparingDouble(i -> fits.get(i).rank + cosines.get(i)))
            .orElseThrow(() -> new IllegalArgumentException("nothing to decide by"));
    Fit fit = fits.get(best);
    double cosine = cosines.get(best);
    boolean alike =
        fit.lexical >= WORDS_ENOUGH && cosine >= SAME_SUBJECT
            || fit.lexical >= WORDS_SOME && cosine >= MEANING_CLOSE
            || cosine >= MEANING_SAME;
    boolean supported = alike && missingNumbers.isEmpty() && !fit.polarityDiffers;
    return new SupportScore(
        supported ? SupportState.SUPPORTED : SupportState.WEAK, fit.sentence, fit.lexical,
        Optional.of(cosine), missingNumbers, fit.polarityDiffers);
  }
}
