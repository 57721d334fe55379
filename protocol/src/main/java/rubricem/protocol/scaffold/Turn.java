package rubricem.protocol.scaffold;

import java.util.Optional;

/**
 * One generation of the policy, parsed: think, then plan or state evaluation, then a call or a
 * review with the answer. {@link ScaffoldPrinter} writes the text that parses to it.
 */
public record Turn(
    String think,
    Optional<Plan> plan,
    Optional<String> stateEvaluation,
    Optional<Review> review,
    TurnAction action) {}
