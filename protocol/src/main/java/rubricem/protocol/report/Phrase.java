package rubricem.protocol.report;

/** What a report says in its own words; the order is that of the texts in {@link PhraseTexts}. */
public enum Phrase {
  REFERENCES,
  CITATIONS_CHECKED,
  REMOVED,
  NOTHING_CITED,
  NOT_FOUND,
  SEARCHED,
  DOCUMENTS,
  UNREADABLE,
  QUERIES,
  PASSAGES,
  SUPPORTED,
  WEAK,
  UNCHECKED,
  NO_EVIDENCE,
  LIMIT_REACHED,
  QUESTION,
  USAGE,
  CONTENTS,
  /** Of a PDF: how many characters no font has, and what stands there. */
  BOXES;

  public static Phrase of(SupportState state) {
    return switch (state) {
      case SUPPORTED -> SUPPORTED;
      case WEAK -> WEAK;
      case UNCHECKED -> UNCHECKED;
    };
  }
}
