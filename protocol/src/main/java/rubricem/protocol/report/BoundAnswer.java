package rubricem.protocol.report;

import java.util.List;
import java.util.Set;

/**
 * An answer in which every cite points to a passage that the episode retrieved and every link to an
 * address that a tool returned; whatever else was there is removed and counted. It follows from the
 * answer and the retrieved passages alone, so it need not be stored.
 *
 * @param body safe Markdown; after each claim stands the mark of {@link ClaimMarks}
 * @param claims in the order of their marks
 * @param allowedUrls the addresses the body may link to
 * @param removedUnknownIds ids in cites that no retrieved passage has
 * @param removedEmptyCites cites without claim or without id
 * @param removedLinks links, images and bare addresses that no tool returned
 * @param removedReferenceSections lists of references that the policy wrote itself
 */
public record BoundAnswer(
    String body,
    List<BoundClaim> claims,
    Set<String> allowedUrls,
    int removedUnknownIds,
    int removedEmptyCites,
    int removedLinks,
    int removedReferenceSections) {

  public static final BoundAnswer NOTHING =
      new BoundAnswer("", List.of(), Set.of(), 0, 0, 0, 0);

  /** How many pairs of a claim and a passage there are to check. */
  public int citations() {
    return claims.stream().mapToInt(c -> c.snippets().size()).sum();
  }

  /** Everything that was taken out because nothing retrieved stands behind it. */
  public int removed() {
    return removedUnknownIds + removedEmptyCites + removedLinks;
  }
}
