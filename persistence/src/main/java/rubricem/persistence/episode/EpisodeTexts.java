package rubricem.persistence.episode;

import java.util.Optional;
import java.util.Set;
import rubricem.protocol.scaffold.ParsedTurn;
import rubricem.protocol.scaffold.Plan;
import rubricem.protocol.scaffold.Review;
import rubricem.protocol.scaffold.ScaffoldParser;
import rubricem.protocol.scaffold.Turn;
import rubricem.protocol.scaffold.TurnAction;
import rubricem.protocol.scaffold.TurnContext;

/** Plan, review and answer of an episode, read from the turns that were carried out. */
public final class EpisodeTexts {
  private EpisodeTexts() {}

  /** The plan as last revised. */
  public static Optional<Plan> plan(EpisodeState state) {
    Optional<Plan> plan = Optional.empty();
    for (TurnRecord record : state.turns()) {
      Optional<Plan> newer = planOf(record, state);
      plan = plan.isPresent() && newer.isPresent()
          ? Optional.of(plan.get().revisedBy(newer.get()))
          : plan.or(() -> newer);
    }
    return plan;
  }

  public static Optional<Review> review(EpisodeState state) {
    return state.answerTurn().flatMap(t -> turn(t, state)).flatMap(Turn::review);
  }

  /** The answer as the policy wrote it, cites included. */
  public static Optional<String> answer(EpisodeState state) {
    return state
        .answerTurn()
        .flatMap(t -> turn(t, state))
        .flatMap(
            t ->
                t.action() instanceof TurnAction.GiveAnswer answer
                    ? Optional.of(answer.text())
                    : Optional.empty());
  }

  private static Optional<Plan> planOf(TurnRecord record, EpisodeState state) {
    return switch (parse(record, state)) {
      case ParsedTurn.Valid valid -> valid.turn().plan();
      case ParsedTurn.Invalid invalid -> invalid.plan();
    };
  }

  private static Optional<Turn> turn(TurnRecord record, EpisodeState state) {
    return parse(record, state) instanceof ParsedTurn.Valid valid
        ? Optional.of(valid.turn())
        : Optional.empty();
  }

  /** What was carried out once is read as allowed: budgets and positions were judged then. */
  private static ParsedTurn parse(TurnRecord record, EpisodeState state) {
    return ScaffoldParser.parse(
        record.text(),
        new TurnContext(false, Set.copyOf(state.start().tools()), Integer.MAX_VALUE, true));
  }
}
