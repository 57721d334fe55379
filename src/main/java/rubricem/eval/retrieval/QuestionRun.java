package rubricem.eval.retrieval;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.report.BoundAnswer;
import rubricem.protocol.report.BoundClaim;
import rubricem.protocol.report.CitationBinding;
import rubricem.protocol.scaffold.FormatLabel;
import rubricem.protocol.scaffold.ParsedTurn;
import rubricem.protocol.scaffold.ScaffoldParser;
import rubricem.protocol.scaffold.ToolCall;
import rubricem.protocol.scaffold.ToolOutputText;
import rubricem.protocol.scaffold.Turn;
import rubricem.protocol.scaffold.TurnAction;
import rubricem.protocol.scaffold.TurnContext;

/**
 * One question researched by a policy over a corpus, without actors and without a journal: turn,
 * call, output, until it answers. The first turn that departs from the grammar ends the run, and
 * so does a call that was made before. For benches and tests; blocks the calling thread.
 */
public final class QuestionRun {
  /** Beyond the tokens any policy here writes in a turn. */
  private static final int TOKENS_MAX = 8_192;

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final PolicyModel policy;
  private final Corpus corpus;
  private final String question;
  private final FormatLabel format;
  private final List<PolicyMessage> messages = new ArrayList<>();
  private final Map<String, Snippet> evidence = new LinkedHashMap<>();
  private final List<ToolCall> calls = new ArrayList<>();
  private final List<Turn> turns = new ArrayList<>();
  private long policyNanos;
  private long slowestNanos;

  private QuestionRun(PolicyModel policy, Corpus corpus, String question, FormatLabel format) {
    this.policy = policy;
    this.corpus = corpus;
    this.question = question;
    this.format = format;
  }

  /**
   * How a run ended.
   *
   * @param answer what the policy wrote; empty where {@code fault} says why there is none
   * @param cited the passages its answer rests on, in the order of their first use
   * @param slowestTurn the longest the policy took for one turn
   */
  public record Result(
      Optional<String> answer,
      BoundAnswer bound,
      List<Passage> cited,
      List<Passage> retrieved,
      List<ToolCall> calls,
      List<Turn> turns,
      Optional<String> fault,
      Duration policyTime,
      Duration slowestTurn) {}

  public static Result of(
      PolicyModel policy, Corpus corpus, String question, FormatLabel format, int toolCalls) {
    return new QuestionRun(policy, corpus, question, format).run(toolCalls);
  }

  private Result run(int toolCalls) {
    messages.add(new PolicyMessage.User(question + "\n\n" + format.label()));
    Set<ToolCall> made = new HashSet<>();
    for (int turn = 0; turn <= toolCalls + 1; turn++) {
      int left = toolCalls - calls.size();
      PolicyOutcome outcome = generate(left);
      if (!(outcome instanceof PolicyOutcome.Generated generated)) {
        return ended(Optional.empty(), Optional.of("the policy failed: " + outcome));
      }
      TurnContext context =
          new TurnContext(turn == 0, Set.of(CorpusTool.NAME), left, false);
      ParsedTurn parsed = ScaffoldParser.parse(generated.text(), context);
      if (!(parsed instanceof ParsedTurn.Valid valid) || !valid.tolerated().isEmpty()) {
        return ended(Optional.empty(), Optional.of("departs: " + parsed.violations()));
      }
      turns.add(valid.turn());
      messages.add(new PolicyMessage.Assistant(generated.text()));
      switch (valid.turn().action()) {
        case TurnAction.GiveAnswer answer -> {
          return ended(Optional.of(answer.text()), Optional.empty());
        }
        case TurnAction.CallTool call -> {
          if (!made.add(call.call())) {
            return ended(Optional.empty(), Optional.of("repeats " + call.call()));
          }
          carryOut(call.call());
        }
      }
    }
    return ended(Optional.empty(), Optional.of("does not end"));
  }

  private PolicyOutcome generate(int left) {
    EpisodeId episode = new EpisodeId("bench");
    PolicyRequest request =
        new PolicyRequest(
            CallId.of(episode, turns.size()), episode, 1, question, format, "",
            List.copyOf(messages), left, TOKENS_MAX, 1L, TIMEOUT);
    long start = System.nanoTime();
    PolicyOutcome outcome =
        policy.generate(request, GenerationWatcher.NONE).toCompletableFuture().join();
    long nanos = System.nanoTime() - start;
    policyNanos += nanos;
    slowestNanos = Math.max(slowestNanos, nanos);
    return outcome;
  }

  private void carryOut(ToolCall call) {
    calls.add(call);
    List<Snippet> fresh = new ArrayList<>();
    List<String> again = new ArrayList<>();
    List<Passage> found = CorpusTool.call(corpus, call).toCompletableFuture().join();
    for (Passage passage : found) {
      Snippet known = evidence.get(passage.key());
      if (known == null) {
        Snippet snippet =
            new Snippet(
                "S_" + (evidence.size() + 1), CallId.of(new EpisodeId("bench"), calls.size()),
                call.tool(), passage);
        evidence.put(passage.key(), snippet);
        fresh.add(snippet);
      } else {
        again.add(known.id());
      }
    }
    List<String> notes = new ArrayList<>();
    if (!again.isEmpty()) {
      notes.add("Found again, shown above: " + String.join(", ", again) + ".");
    }
    if (found.isEmpty()) {
      notes.add("Nothing was found.");
    }
    messages.add(new PolicyMessage.ToolOutput(ToolOutputText.print(fresh, notes)));
  }

  private Result ended(Optional<String> answer, Optional<String> fault) {
    BoundAnswer bound = CitationBinding.bind(answer.orElse(""), evidence.values());
    Map<String, Passage> cited = new LinkedHashMap<>();
    for (BoundClaim claim : bound.claims()) {
      claim.snippets().forEach(s -> cited.putIfAbsent(s.id(), s.passage()));
    }
    return new Result(
        answer, bound, List.copyOf(cited.values()),
        evidence.values().stream().map(Snippet::passage).toList(), List.copyOf(calls),
        List.copyOf(turns), fault, Duration.ofNanos(policyNanos), Duration.ofNanos(slowestNanos));
  }
}
