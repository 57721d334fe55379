package rubricem.protocol.scaffold;

import java.util.Set;
import java.util.TreeSet;

/**
 * One departure from the turn grammar. A blocking one keeps the action from being carried out and
 * is answered with its {@link #advice()}; any other is only counted under its {@link #code()}.
 * Codes are stored and published: they never change their meaning. Advice names tags without angle
 * brackets, so that escaping leaves it readable.
 */
public sealed interface ScaffoldViolation {
  /** A stable word for logs and counters. */
  String code();

  boolean blocking();

  /** One sentence to the policy: what was wrong and what to write instead. */
  String advice();

  /** A departure that keeps the action from being carried out. */
  sealed interface Blocking extends ScaffoldViolation {
    @Override
    default boolean blocking() {
      return true;
    }
  }

  /** A departure that is counted while the action is carried out. */
  sealed interface Tolerated extends ScaffoldViolation {
    @Override
    default boolean blocking() {
      return false;
    }
  }

  record NoAction() implements Blocking {
    @Override
    public String code() {
      return "no_action";
    }

    @Override
    public String advice() {
      return "The turn ended without an action: end it with exactly one call_tool element or one"
          + " answer element.";
    }
  }

  record TruncatedAction(String tag) implements Blocking {
    @Override
    public String code() {
      return "truncated_action";
    }

    @Override
    public String advice() {
      return "The " + tag + " element was never closed: write less before it and finish it with its"
          + " end tag.";
    }
  }

  record NestedCall() implements Blocking {
    @Override
    public String code() {
      return "nested_call";
    }

    @Override
    public String advice() {
      return "One call_tool element was opened inside another: write one call only, and its query"
          + " as plain text.";
    }
  }

  record EmptyQuery(String tool) implements Blocking {
    @Override
    public String code() {
      return "empty_query";
    }

    @Override
    public String advice() {
      return "The call of " + shown(tool) + " had no query: write what to look for between the"
          + " start tag and the end tag of call_tool.";
    }
  }

  record UnknownTool(String written, Set<String> tools) implements Blocking {
    public UnknownTool {
      tools = Set.copyOf(tools);
    }

    @Override
    public String code() {
      return "unknown_tool";
    }

    @Override
    public String advice() {
      String known = tools.isEmpty() ? "none" : String.join(", ", new TreeSet<>(tools));
      return "There is no tool called " + shown(written) + ": the tools are " + known + ".";
    }
  }

  record CallWithoutName() implements Blocking {
    @Override
    public String code() {
      return "call_without_name";
    }

    @Override
    public String advice() {
      return "The call_tool start tag named no tool: give it the attribute name=\"...\" with one of"
          + " the tools.";
    }
  }

  record AnswerInFirstTurn() implements Blocking {
    @Override
    public String code() {
      return "answer_in_first_turn";
    }

    @Override
    public String advice() {
      return "The first turn must not answer: write a structured_plan and make the first search.";
    }
  }

  record ToolBudgetSpent() implements Blocking {
    @Override
    public String code() {
      return "tool_budget_spent";
    }

    @Override
    public String advice() {
      return "No tool call is left: write the review and then the answer from the evidence you"
          + " have.";
    }
  }

  record EmptyAnswer() implements Blocking {
    @Override
    public String code() {
      return "empty_answer";
    }

    @Override
    public String advice() {
      return "The answer element held no text: write the answer, with each cited claim inside its"
          + " cite element.";
    }
  }

  /**
   * The policy wrote a tool's output itself. Nothing after it is carried out; an action that was
   * complete before it is.
   */
  record GeneratedToolOutput(boolean afterAction) implements ScaffoldViolation {
    @Override
    public String code() {
      return "generated_tool_output";
    }

    @Override
    public boolean blocking() {
      return !afterAction;
    }

    @Override
    public String advice() {
      return "You wrote a tool_output element yourself and it was ignored: only the tools write"
          + " tool_output, so end the turn right after your call.";
    }
  }

  record MissingThink() implements Tolerated {
    @Override
    public String code() {
      return "missing_think";
    }

    @Override
    public String advice() {
      return "Start every turn with a think element.";
    }
  }

  record UnclosedPart(String tag) implements Tolerated {
    @Override
    public String code() {
      return "unclosed_part";
    }

    @Override
    public String advice() {
      return "Close the " + tag + " element with its end tag before the next part.";
    }
  }

  record MissingPlan() implements Tolerated {
    @Override
    public String code() {
      return "missing_plan";
    }

    @Override
    public String advice() {
      return "Write a structured_plan in the first turn, before the first call.";
    }
  }

  record MissingPlanPart(String tag) implements Tolerated {
    @Override
    public String code() {
      return "missing_plan_part";
    }

    @Override
    public String advice() {
      return "The structured_plan lacks its " + tag + " element: write it.";
    }
  }

  record MissingStateEvaluation() implements Tolerated {
    @Override
    public String code() {
      return "missing_state_evaluation";
    }

    @Override
    public String advice() {
      return "After think, compare the evidence with rubric and plan in a state_evaluation"
          + " element.";
    }
  }

  record MissingReview() implements Tolerated {
    @Override
    public String code() {
      return "missing_review";
    }

    @Override
    public String advice() {
      return "Write a review with rubric_review and writing_plan before the answer.";
    }
  }

  record MissingReviewPart(String tag) implements Tolerated {
    @Override
    public String code() {
      return "missing_review_part";
    }

    @Override
    public String advice() {
      return "The review lacks its " + tag + " element: write it.";
    }
  }

  record TextAfterAction() implements Tolerated {
    @Override
    public String code() {
      return "text_after_action";
    }

    @Override
    public String advice() {
      return "Stop right after the end tag of the call or of the answer; what followed was"
          + " ignored.";
    }
  }

  /** A part stood behind one that should follow it. */
  record WrongOrder(String tag) implements Tolerated {
    @Override
    public String code() {
      return "wrong_order";
    }

    @Override
    public String advice() {
      return "The " + tag + " element came too late: the order is think, then structured_plan or"
          + " state_evaluation, then review, then the action.";
    }
  }

  record RepeatedPart(String tag) implements Tolerated {
    @Override
    public String code() {
      return "repeated_part";
    }

    @Override
    public String advice() {
      return "Write the " + tag + " element once in a turn.";
    }
  }

  /** A part that this kind of turn does not have. */
  record UnexpectedPart(String tag) implements Tolerated {
    @Override
    public String code() {
      return "unexpected_part";
    }

    @Override
    public String advice() {
      return "The " + tag + " element does not belong in this turn: leave it out.";
    }
  }

  /** A start or end tag without its partner, or a child outside its parent. */
  record StrayTag(String tag) implements Tolerated {
    @Override
    public String code() {
      return "stray_tag";
    }

    @Override
    public String advice() {
      return "A " + tag + " tag stood alone: write start and end tag in pairs, each in its place.";
    }
  }

  record StrayText() implements Tolerated {
    @Override
    public String code() {
      return "stray_text";
    }

    @Override
    public String advice() {
      return "Write no text outside the elements of the turn.";
    }
  }

  record ToolNameVariant(String written, String meant) implements Tolerated {
    @Override
    public String code() {
      return "tool_name_variant";
    }

    @Override
    public String advice() {
      return "Write the tool's name as " + meant + ", not " + shown(written) + ".";
    }
  }

  record QueryInAttribute() implements Tolerated {
    @Override
    public String code() {
      return "query_in_attribute";
    }

    @Override
    public String advice() {
      return "Write the query between the tags of call_tool, not as an attribute.";
    }
  }

  /** What the policy wrote, short enough to be shown back to it. */
  private static String shown(String written) {
    int longest = 60;
    String word = written.strip();
    return word.length() <= longest ? '"' + word + '"' : '"' + word.substring(0, longest) + "…\"";
  }
}
