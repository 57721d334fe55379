package rubricem.protocol.report;

/**
 * One citation as the API shows it: a claim and a passage it rests on. A passage has one number
 * wherever it is cited, so a number comes back when a later claim rests on the same passage.
 */
public record Citation(
    int number,
    String snippetId,
    String claim,
    String quote,
    String title,
    String url,
    String document,
    SupportState state) {}
