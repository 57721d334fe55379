package rubricem.protocol.scaffold;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import rubricem.protocol.scaffold.TurnLayout.Action;
import rubricem.protocol.scaffold.TurnLayout.Element;

/**
 * Divides the generated text of an episode into the four stages (specification §1.7). The spans
 * cover every character of every turn once, in order, and the stages never go back. Texts are those
 * that the policy generated, in turn order; tool outputs are not among them.
 *
 * <p>Plan ends with the first closed structured_plan; without one, with the first turn. Answer
 * begins at the answer of the last turn: one in an earlier turn was refused and is none. Review
 * begins at the last think before the last review, which stands in the last turn or in turns
 * before it that called no tool, and reaches to the answer. A review that a call follows is
 * Research. Research is what is left between.
 */
public final class StageSpans {
  private final List<String> turns;
  private final List<TurnLayout> layouts;
  private final long[] starts;

  private StageSpans(List<String> turns) {
    this.turns = turns;
    this.layouts = turns.stream().map(TurnLayout::of).toList();
    this.starts = new long[turns.size() + 1];
    for (int i = 0; i < turns.size(); i++) {
      starts[i + 1] = starts[i] + turns.get(i).length();
    }
  }

  public static List<StageSpan> of(List<String> turns) {
    return turns.isEmpty() ? List.of() : new StageSpans(List.copyOf(turns)).spans();
  }

  private List<StageSpan> spans() {
    long end = starts[turns.size()];
    int last = turns.size() - 1;
    long answer =
        layouts.get(last).action
            .filter(a -> a.start().kind() == ScaffoldTag.ANSWER)
            .map(a -> starts[last] + a.element().from())
            .orElse(end);
    OptionalLong plan = planEnd();
    long review = Math.min(answer, reviewStart(plan).orElse(answer));
    long research = Math.min(review, plan.orElse(starts[1]));
    return divide(new long[] {0, research, review, answer, end});
  }

  /** One past the first plan that is closed. */
  private OptionalLong planEnd() {
    for (int turn = 0; turn < turns.size(); turn++) {
      for (Element element : layouts.get(turn).elements) {
        if (element.kind() == ScaffoldTag.STRUCTURED_PLAN && element.closed()) {
          return OptionalLong.of(starts[turn] + element.to());
        }
      }
    }
    return OptionalLong.empty();
  }

  private OptionalLong reviewStart(OptionalLong planEnd) {
    for (int turn = turns.size() - 1; turn >= 0 && !calls(turn); turn--) {
      OptionalInt review = lastReview(turn);
      if (review.isPresent()) {
        long start = starts[turn] + thinkBefore(turn, review.getAsInt());
        long at = starts[turn] + layouts.get(turn).elements.get(review.getAsInt()).from();
        boolean planFirst = planEnd.isPresent() && planEnd.getAsLong() <= at;
        return OptionalLong.of(planFirst ? Math.max(start, planEnd.getAsLong()) : start);
      }
    }
    return OptionalLong.empty();
  }

  private boolean calls(int turn) {
    Optional<Action> action = layouts.get(turn).action;
    return action.filter(a -> a.start().kind() == ScaffoldTag.CALL_TOOL).isPresent();
  }

  private OptionalInt lastReview(int turn) {
    List<Element> elements = layouts.get(turn).elements;
    for (int i = elements.size() - 1; i >= 0; i--) {
      if (elements.get(i).kind() == ScaffoldTag.REVIEW) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** Where the last think before an element begins; without one, the turn does. */
  private int thinkBefore(int turn, int element) {
    List<Element> elements = layouts.get(turn).elements;
    for (int i = element - 1; i >= 0; i--) {
      if (elements.get(i).kind() == ScaffoldTag.THINK) {
        return elements.get(i).from();
      }
    }
    return 0;
  }

  private List<StageSpan> divide(long[] cuts) {
    List<StageSpan> spans = new ArrayList<>();
    for (int turn = 0; turn < turns.size(); turn++) {
      for (Stage stage : Stage.values()) {
        long from = Math.max(starts[turn], cuts[stage.ordinal()]);
        long to = Math.min(starts[turn + 1], cuts[stage.ordinal() + 1]);
        if (from < to) {
          spans.add(
              new StageSpan(turn, (int) (from - starts[turn]), (int) (to - starts[turn]), stage));
        }
      }
    }
    return List.copyOf(spans);
  }
}
