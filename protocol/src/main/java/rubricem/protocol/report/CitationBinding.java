package rubricem.protocol.report;

import java.util.Collection;
import rubricem.protocol.evidence.Snippet;

/** Binds the cites and links of an answer to what the episode retrieved. */
public final class CitationBinding {
  private CitationBinding() {}

  /** @param retrieved every snippet of the episode, cited or not */
  public static BoundAnswer bind(String answer, Collection<Snippet> retrieved) {
    return BoundAnswer.NOTHING;
  }
}
