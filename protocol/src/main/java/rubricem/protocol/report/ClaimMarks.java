package rubricem.protocol.report;

/**
 * The mark that stands in an answer's body where the numbers of a claim go. It is made of two
 * characters for private use, which are taken out of every text from outside first.
 */
public final class ClaimMarks {
  static final char OPEN = '\uE000';
  static final char CLOSE = '\uE001';

  private ClaimMarks() {}

  static String of(int claim) {
    return "" + OPEN + claim + CLOSE;
  }
}
