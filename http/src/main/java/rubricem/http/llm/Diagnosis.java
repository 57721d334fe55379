package rubricem.http.llm;

/** What the doctor found about one outside service: one or two sentences that say what to do. */
public record Diagnosis(boolean ok, String sentence) {}
