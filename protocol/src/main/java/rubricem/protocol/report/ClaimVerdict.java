package rubricem.protocol.report;

/**
 * The outcome of checking one claim against one passage; small enough to be stored in an event.
 *
 * @param claim {@link BoundClaim#index()}
 * @param score the figures behind the state; {@link SupportScore#quote()} is the same quote
 */
public record ClaimVerdict(int claim, String snippetId, SupportScore score) {}
