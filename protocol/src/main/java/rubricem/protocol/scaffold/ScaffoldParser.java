package rubricem.protocol.scaffold;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import rubricem.protocol.scaffold.TurnLayout.Action;
import rubricem.protocol.scaffold.TurnLayout.Element;

/**
 * Reads one generation of the policy by the turn grammar (specification §1.2, §1.5). It takes only
 * text that the policy generated, never a tool's output, and never throws: an action that can be
 * read is carried out and every departure counted; otherwise the turn is {@link
 * ParsedTurn.Invalid}. Time is linear in the text. Citations stay raw in the answer.
 *
 * <p>Where a kind of part stands twice, revised plans are merged and of any other part the last
 * counts; of thinks the first. Text of a plan or review without its children is kept as research
 * plan or rubric review. A service that writes the start tag of think into the prompt may leave it
 * out: text before a lone end tag of think is the think.
 */
public final class ScaffoldParser {
  /** Attributes that weak models write the query in, in the order they are asked. */
  private static final List<String> QUERY_ATTRIBUTES =
      List.of("query", "q", "input", "text", "content");

  private final String text;
  private final TurnContext context;
  private final TurnLayout layout;
  private final Violations violations = new Violations();

  private ScaffoldParser(String text, TurnContext context) {
    this.text = text;
    this.context = context;
    this.layout = TurnLayout.of(text);
  }

  public static ParsedTurn parse(String generated, TurnContext context) {
    return new ScaffoldParser(generated, context).parse();
  }

  private ParsedTurn parse() {
    PartReader parts = new PartReader(text, layout, violations);
    String think = parts.think();
    Optional<Plan> plan = parts.plan();
    Optional<String> evaluation = parts.stateEvaluation();
    Optional<Review> review = parts.review();
    parts.checkOrder();
    parts.checkStray();
    checkShape(plan, evaluation, review);
    Optional<TurnAction> action = layout.action.flatMap(this::action);
    checkToolOutput();
    if (layout.action.isEmpty()) {
      violations.add(new ScaffoldViolation.NoAction());
    }
    if (violations.blocking() || action.isEmpty()) {
      return new ParsedTurn.Invalid(violations.all(), plan, action);
    }
    Turn turn = new Turn(think, plan, evaluation, review, action.get());
    return new ParsedTurn.Valid(turn, violations.all());
  }

  /** Which parts this kind of turn has to have, and which it must not. */
  private void checkShape(
      Optional<Plan> plan, Optional<String> evaluation, Optional<Review> review) {
    boolean answers = answers();
    if (context.firstTurn()) {
      violations.addIf(plan.isEmpty(), new ScaffoldViolation.MissingPlan());
      unexpected(evaluation, ScaffoldTag.STATE_EVALUATION);
    } else {
      violations.addIf(evaluation.isEmpty(), new ScaffoldViolation.MissingStateEvaluation());
      unexpected(answers ? plan : Optional.empty(), ScaffoldTag.STRUCTURED_PLAN);
    }
    if (answers) {
      violations.addIf(review.isEmpty(), new ScaffoldViolation.MissingReview());
    } else if (layout.action.isPresent()) {
      unexpected(review, ScaffoldTag.REVIEW);
    }
    if (context.firstTurn()) {
      plan.ifPresent(this::checkPlan);
    } else if (plan.isPresent() && plan.get().equals(PartReader.NO_PLAN)) {
      checkPlan(plan.get());
    }
    review.ifPresent(this::checkReview);
  }

  private boolean answers() {
    return layout.action.filter(a -> a.start().kind() == ScaffoldTag.ANSWER).isPresent();
  }

  private void unexpected(Optional<?> part, ScaffoldTag tag) {
    violations.addIf(part.isPresent(), new ScaffoldViolation.UnexpectedPart(tag.label()));
  }

  private void checkPlan(Plan plan) {
    planPart(plan.deepAnalysis(), ScaffoldTag.DEEP_ANALYSIS);
    planPart(plan.rubric(), ScaffoldTag.RUBRIC);
    planPart(plan.researchPlan(), ScaffoldTag.RESEARCH_PLAN);
  }

  private void planPart(Optional<String> part, ScaffoldTag tag) {
    violations.addIf(
        part.filter(p -> !p.isBlank()).isEmpty(),
        new ScaffoldViolation.MissingPlanPart(tag.label()));
  }

  private void checkReview(Review review) {
    violations.addIf(
        review.rubricReview().isBlank(),
        new ScaffoldViolation.MissingReviewPart(ScaffoldTag.RUBRIC_REVIEW.label()));
    violations.addIf(
        review.writingPlan().isBlank(),
        new ScaffoldViolation.MissingReviewPart(ScaffoldTag.WRITING_PLAN.label()));
  }

  private Optional<TurnAction> action(Action action) {
    Element element = action.element();
    String tag = element.kind().label();
    violations.addIf(
        !element.closed() && !context.stopTextOmitted(),
        new ScaffoldViolation.TruncatedAction(tag));
    String after = text.substring(element.to());
    violations.addIf(!after.isBlank(), new ScaffoldViolation.TextAfterAction());
    return element.kind() == ScaffoldTag.ANSWER ? answer(element) : call(action);
  }

  private Optional<TurnAction> answer(Element element) {
    String answer = ScaffoldText.read(element.content(text));
    violations.addIf(context.firstTurn(), new ScaffoldViolation.AnswerInFirstTurn());
    violations.addIf(CiteTags.without(answer).isBlank(), new ScaffoldViolation.EmptyAnswer());
    return Optional.of(new TurnAction.GiveAnswer(answer));
  }

  private Optional<TurnAction> call(Action action) {
    violations.addIf(action.nested(), new ScaffoldViolation.NestedCall());
    violations.addIf(context.toolCallsLeft() <= 0, new ScaffoldViolation.ToolBudgetSpent());
    Map<String, String> attributes = CallAttributes.of(text, action.start());
    String written = Optional.ofNullable(attributes.remove(CallAttributes.NAME)).orElse("");
    Optional<String> tool = tool(written, context.tools());
    String query = query(ScaffoldText.readAll(action.element().content(text).strip()), attributes);
    violations.addIf(query.isBlank(), new ScaffoldViolation.EmptyQuery(tool.orElse(written)));
    return tool.map(t -> new TurnAction.CallTool(new ToolCall(t, query, attributes)));
  }

  private Optional<String> tool(String written, Set<String> tools) {
    if (written.isBlank()) {
      violations.add(new ScaffoldViolation.CallWithoutName());
      return Optional.empty();
    }
    Optional<String> meant = ToolNames.meant(written, tools);
    if (meant.isEmpty()) {
      violations.add(new ScaffoldViolation.UnknownTool(written, tools));
    } else if (!meant.get().equals(written)) {
      violations.add(new ScaffoldViolation.ToolNameVariant(written, meant.get()));
    }
    return meant;
  }

  private String query(String content, Map<String, String> attributes) {
    if (!content.isBlank()) {
      return content;
    }
    for (String key : QUERY_ATTRIBUTES) {
      if (attributes.containsKey(key) && !attributes.get(key).isBlank()) {
        violations.add(new ScaffoldViolation.QueryInAttribute());
        return attributes.remove(key).strip();
      }
    }
    return "";
  }

  private void checkToolOutput() {
    violations.addIf(layout.toolOutput, new ScaffoldViolation.GeneratedToolOutput(false));
    violations.addIf(
        !layout.toolOutput && layout.toolOutputAfterAction,
        new ScaffoldViolation.GeneratedToolOutput(true));
  }

  /** What was found so far, each violation once. */
  static final class Violations {
    private final Map<ScaffoldViolation, Boolean> found = new LinkedHashMap<>();

    void add(ScaffoldViolation violation) {
      found.put(violation, true);
    }

    void addIf(boolean holds, ScaffoldViolation violation) {
      if (holds) {
        add(violation);
      }
    }

    boolean blocking() {
      return found.keySet().stream().anyMatch(ScaffoldViolation::blocking);
    }

    List<ScaffoldViolation> all() {
      return new ArrayList<>(found.keySet());
    }
  }
}
