package rubricem.protocol.scaffold;

import java.util.List;
import java.util.Optional;

/** What a generation turned out to be: a turn to act on, or one that is answered with an error. */
public sealed interface ParsedTurn {
  /** Everything that was wrong, blocking or not, each once, in the order of the text. */
  List<ScaffoldViolation> violations();

  /** @param tolerated what was wrong but did not keep the action from being read; to be counted */
  record Valid(Turn turn, List<ScaffoldViolation> tolerated) implements ParsedTurn {
    public Valid {
      tolerated = List.copyOf(tolerated);
    }

    @Override
    public List<ScaffoldViolation> violations() {
      return tolerated;
    }
  }

  /**
   * @param violations at least one of them blocking
   * @param plan what was readable of a plan in this turn; still worth keeping
   * @param attempted the action as far as it could be read; not to be carried out
   */
  record Invalid(
      List<ScaffoldViolation> violations, Optional<Plan> plan, Optional<TurnAction> attempted)
      implements ParsedTurn {
    public Invalid {
      violations = List.copyOf(violations);
    }
  }
}
