package rubricem.protocol.report;

/**
 * How many citations there are and how far they were looked at. A share of supported citations is
 * worth nothing without {@link #coverage()}, so both are always shown together.
 *
 * @param cited pairs of a claim and a passage
 * @param checked those that were looked at
 * @param supported those of the checked ones whose passage carries the claim
 * @param removed ids, cites and links that nothing retrieved stands behind
 */
public record CitationCheck(int cited, int checked, int supported, int removed) {
  public static final CitationCheck NONE = new CitationCheck(0, 0, 0, 0);

  /** The share of citations that was looked at; 1 where there are none. */
  public double coverage() {
    return cited == 0 ? 1 : (double) checked / cited;
  }

  /** Whether every citation was looked at and supported: the only case for a green badge. */
  public boolean allSupported() {
    return cited > 0 && checked == cited && supported == cited;
  }
}
