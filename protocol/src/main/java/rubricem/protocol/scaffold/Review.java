package rubricem.protocol.scaffold;

/** {@code <review>}: which rubric items are met by which evidence, and how the answer will be built. */
public record Review(String rubricReview, String writingPlan) {}
