package rubricem.protocol.report;

import java.util.List;
import rubricem.protocol.evidence.Snippet;

/**
 * A claim of the answer and the retrieved passages it is cited by.
 *
 * @param index its place among the bound claims of the answer, counted from 0
 * @param text the claim as the reader sees it, without markup for links
 * @param snippets in the order cited; never empty, never twice the same
 */
public record BoundClaim(int index, String text, List<Snippet> snippets) {}
