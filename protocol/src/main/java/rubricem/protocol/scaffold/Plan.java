package rubricem.protocol.scaffold;

import java.util.Optional;

/** {@code <structured_plan>}: three parts in the first turn, any non-empty subset when revised. */
public record Plan(
    Optional<String> deepAnalysis, Optional<String> rubric, Optional<String> researchPlan) {

  /** This plan with the parts that {@code revision} restates replaced. */
  public Plan revisedBy(Plan revision) {
    return new Plan(
        revision.deepAnalysis.or(() -> deepAnalysis),
        revision.rubric.or(() -> rubric),
        revision.researchPlan.or(() -> researchPlan));
  }
}
