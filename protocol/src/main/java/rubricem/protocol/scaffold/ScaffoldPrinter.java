package rubricem.protocol.scaffold;

import java.util.Map;
import java.util.Optional;

/**
 * Writes the canonical text of a turn: the elements in their order, one a line, names of the
 * paper's appendix B.1, attributes in double quotes. Free text is escaped as {@link ScaffoldText}
 * says, so that parsing gives back the same turn, whatever its texts hold; an answer's cites and
 * HTML stay raw.
 */
public final class ScaffoldPrinter {
  private final StringBuilder out = new StringBuilder();

  private ScaffoldPrinter() {}

  /**
   * @throws IllegalArgumentException when a call cannot be written: a query that is not trimmed, or
   *     an attribute name that is no word or is {@code name}
   */
  public static String print(Turn turn) {
    ScaffoldPrinter printer = new ScaffoldPrinter();
    printer.line(ScaffoldTag.THINK, turn.think());
    turn.stateEvaluation().ifPresent(text -> printer.line(ScaffoldTag.STATE_EVALUATION, text));
    turn.plan().ifPresent(printer::plan);
    turn.review().ifPresent(printer::review);
    switch (turn.action()) {
      case TurnAction.CallTool(ToolCall call) -> printer.call(call);
      case TurnAction.GiveAnswer(String text) -> printer.element(ScaffoldTag.ANSWER, text);
    }
    return printer.out.toString();
  }

  private void plan(Plan plan) {
    start(ScaffoldTag.STRUCTURED_PLAN);
    child(ScaffoldTag.DEEP_ANALYSIS, plan.deepAnalysis());
    child(ScaffoldTag.RUBRIC, plan.rubric());
    child(ScaffoldTag.RESEARCH_PLAN, plan.researchPlan());
    end(ScaffoldTag.STRUCTURED_PLAN);
  }

  private void review(Review review) {
    start(ScaffoldTag.REVIEW);
    line(ScaffoldTag.RUBRIC_REVIEW, review.rubricReview());
    line(ScaffoldTag.WRITING_PLAN, review.writingPlan());
    end(ScaffoldTag.REVIEW);
  }

  private void call(ToolCall call) {
    if (!call.query().equals(call.query().strip())) {
      throw new IllegalArgumentException("a query is written without white space around it");
    }
    out.append("<call_tool");
    attribute(CallAttributes.NAME, call.tool());
    for (Map.Entry<String, String> entry : call.attributes().entrySet()) {
      checkKey(entry.getKey());
      attribute(entry.getKey(), entry.getValue());
    }
    out.append('>').append(ScaffoldText.writeQuery(call.query())).append("</call_tool>");
  }

  private static void checkKey(String key) {
    boolean word = !key.isEmpty() && key.chars().allMatch(c -> ScaffoldTag.isNameChar((char) c));
    if (!word || ScaffoldTag.lowerCase(key).equals(CallAttributes.NAME)) {
      throw new IllegalArgumentException("an attribute of a call cannot be named '" + key + "'");
    }
  }

  private void attribute(String key, String value) {
    out.append(' ').append(key).append("=\"");
    out.append(ScaffoldText.writeAttribute(value)).append('"');
  }

  private void child(ScaffoldTag tag, Optional<String> text) {
    text.ifPresent(present -> line(tag, present));
  }

  private void line(ScaffoldTag tag, String text) {
    element(tag, text);
    out.append('\n');
  }

  private void element(ScaffoldTag tag, String text) {
    out.append('<').append(tag.label()).append('>').append(ScaffoldText.write(text));
    out.append("</").append(tag.label()).append('>');
  }

  private void start(ScaffoldTag tag) {
    out.append('<').append(tag.label()).append(">\n");
  }

  private void end(ScaffoldTag tag) {
    out.append("</").append(tag.label()).append(">\n");
  }
}
