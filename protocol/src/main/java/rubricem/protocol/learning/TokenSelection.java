package rubricem.protocol.learning;

/**
 * Which sampled tokens count.
 *
 * @param keepFlatGroupsForKl a group whose stages are all flat has no policy gradient; it is left
 *     out of the step and of its divisor, unless this keeps it for the KL penalty's sake
 * @param maskTruncated leaves out rollouts that were cut by a limit
 * @param entropyShare the policy term of only this share of the tokens counts, those of highest
 *     entropy; penalty and divisor stay those of all tokens
 */
public record TokenSelection(
    boolean keepFlatGroupsForKl, boolean maskTruncated, double entropyShare) {

  public static final TokenSelection ALL = new TokenSelection(false, false, 1);

  public TokenSelection {
    Require.within("selection.entropy-share", entropyShare, 0, 1);
    Require.positive("selection.entropy-share", entropyShare);
  }
}
