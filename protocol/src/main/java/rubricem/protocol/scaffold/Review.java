package rubricem.protocol.scaffold;

/** {@code <review>}: which evidence meets which rubric item, and how the answer will be built. */
public record Review(String rubricReview, String writingPlan) {}
