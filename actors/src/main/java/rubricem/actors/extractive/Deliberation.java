package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import rubricem.actors.extractive.Evidence.Found;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.scaffold.ToolCall;
import rubricem.protocol.scaffold.Turn;
import rubricem.protocol.scaffold.TurnAction;

/**
 * What one turn comes to: plan and first search, a further search, or review and answer. Reads the
 * request once; pure. Vectors are fetched between its steps by {@link ExtractivePolicy}.
 */
final class Deliberation {
  /** Passages beyond those cited, for those that hold no sentence of their own. */
  private static final int SPARE = 4;

  /** Tools that take a query in plain words, the preferred one first. */
  private static final List<String> TOOLS =
      List.of("local_search", "snippet_search", "google_search");

  private final ExtractiveSettings settings;
  private final PolicyRequest request;
  private final String tool;
  private final Question question;
  private final Evidence evidence;

  sealed interface Decision {}

  record Decided(Turn turn) implements Decision {}

  /** An answer that first needs the vectors of {@code texts}. */
  record Undecided(List<Found> passages, List<String> texts) implements Decision {}

  Deliberation(ExtractiveSettings settings, PolicyRequest request) {
    this.settings = settings;
    this.request = request;
    this.tool = tool(request.systemPrompt());
    this.question = Facets.read(request.question());
    this.evidence = Evidence.of(request.messages(), Set.of(tool));
  }

  /** The tool to search with: the first of those known here that the episode offers. */
  private static String tool(String systemPrompt) {
    return TOOLS.stream().filter(systemPrompt::contains).findFirst().orElse(TOOLS.getFirst());
  }

  /** Texts whose nearness matters for the decision. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    if (!evidence.found().isEmpty()) {
      question.phrasings().forEach(p -> texts.add(p.text()));
      question.facets().forEach(f -> f.phrasings().forEach(p -> texts.add(p.text())));
      question.facets().forEach(f -> f.own().forEach(p -> texts.add(p.text())));
      question.facets().forEach(f -> texts.add(f.asAlone()));
      evidence.found().forEach(p -> texts.add(p.whole()));
    }
    return texts;
  }

  Decision decide(Likeness likeness) {
    boolean first =
        request.messages().stream().allMatch(m -> m instanceof PolicyMessage.User);
    if (first) {
      return new Decided(firstTurn());
    }
    Ranking ranking = new Ranking(question, evidence.found(), likeness);
    boolean budget =
        request.toolCallsLeft() > 0 && evidence.calls().size() < settings.searchesMax();
    Optional<Searches.Step> next = budget
        ? new Searches(settings, tool, question, evidence, ranking).next(likeness)
        : Optional.empty();
    if (next.isPresent()) {
      return new Decided(search(next.get()));
    }
    List<Found> passages = ranking.best(settings.passagesCited() + SPARE);
    boolean few = evidence.few(settings.hits());
    if (!Sufficiency.answers(question, ranking, passages, likeness, few)) {
      return new Decided(answer(Findings.nothing(question)));
    }
    List<String> texts = new ArrayList<>(texts());
    passages.forEach(p -> texts.addAll(Sentences.of(p.text())));
    return new Undecided(passages, texts);
  }

  Turn answer(Undecided undecided, Likeness likeness) {
    Ranking ranking = new Ranking(question, evidence.found(), likeness);
    Findings findings =
        Findings.of(
            question, ranking, undecided.passages(), settings.passagesCited(),
            settings.sentencesEach());
    return answer(
        switch (request.format()) {
          case LONG_FORM -> findings;
          case SHORT_FORM, EXACT_ANSWER -> findings.valued();
        });
  }

  private Turn firstTurn() {
    ToolCall call = Searches.first(settings, tool, question);
    String think = question.facets().size() > 1
        ? "The question has " + question.facets().size() + " parts; first it is searched whole."
        : "One thing is asked; it is searched as it stands.";
    return new Turn(
        think, Optional.of(PlanText.of(question, request.format())), Optional.empty(),
        Optional.empty(), new TurnAction.CallTool(call));
  }

  private Turn search(Searches.Step step) {
    String state = evidence.found().size() + " passages after " + evidence.calls().size()
        + " searches. Next: " + step.why();
    return new Turn(
        "More may be found.", Optional.empty(), Optional.of(state), Optional.empty(),
        new TurnAction.CallTool(step.call()));
  }

  private Turn answer(Findings findings) {
    String state = evidence.found().size() + " passages after " + evidence.calls().size()
        + " searches; parts without a passage: " + findings.missing().size() + ".";
    boolean failed = evidence.found().isEmpty() && !evidence.errors().isEmpty();
    String text = failed
        ? AnswerText.searchFailed(question)
        : AnswerText.of(request.format(), findings);
    return new Turn(
        findings.empty() ? "Nothing found answers the question." : "The evidence is ready.",
        Optional.empty(), Optional.of(state),
        Optional.of(ReviewText.of(findings, request.format(), evidence.found().size())),
        new TurnAction.GiveAnswer(text));
  }
}
