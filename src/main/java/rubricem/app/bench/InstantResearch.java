package rubricem.app.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.port.Tool;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.port.ToolRequest;

/**
 * A policy and a tool that cost no time, so that what is measured is ours alone. A turn is 400
 * characters, a result 2,000; after a number of turns the policy answers, or waits for ever.
 */
final class InstantResearch implements PolicyModel, Tool {
  static final int TURN_CHARS = 400;
  static final int RESULT_CHARS = 2_000;
  private static final String THINK = "<think>";
  private static final String PLAN =
      "</think><structured_plan><deep_analysis>a</deep_analysis><rubric>b</rubric>"
          + "<research_plan>c</research_plan></structured_plan>";
  private static final String EVALUATION = "</think><state_evaluation>d</state_evaluation>";

  private final BenchWords words;
  private final int turns;
  private final boolean wait;
  private final Duration think;
  private final Map<EpisodeId, Long> generated = new ConcurrentHashMap<>();
  final ConcurrentLinkedQueue<Long> turnNanos = new ConcurrentLinkedQueue<>();
  final AtomicLong turnsDone = new AtomicLong();
  final AtomicInteger waiting = new AtomicInteger();

  /**
   * @param wait whether the policy never comes back after its turns, instead of answering
   * @param think how long the policy takes for a turn on average; not counted as ours
   */
  InstantResearch(BenchWords words, int turns, boolean wait, Duration think) {
    this.words = words;
    this.turns = turns;
    this.wait = wait;
    this.think = think;
  }

  @Override
  public String spec() {
    return "instant";
  }

  @Override
  public String name() {
    return "instant_search";
  }

  @Override
  public String description() {
    return "finds words";
  }

  /** Our part of a turn is from its generation to the next call: two writes, a tool call. */
  @Override
  public CompletionStage<PolicyOutcome> generate(PolicyRequest request, GenerationWatcher watcher) {
    long now = System.nanoTime();
    Long before = generated.remove(request.episode());
    if (before != null) {
      turnNanos.add(now - before);
      turnsDone.incrementAndGet();
    }
    int turn = 0;
    for (PolicyMessage message : request.messages()) {
      turn += message instanceof PolicyMessage.Assistant ? 1 : 0;
    }
    if (turn >= turns && wait) {
      waiting.incrementAndGet();
      return new CompletableFuture<>();
    }
    int number = turn;
    return think.isZero()
        ? CompletableFuture.completedStage(generated(request.episode(), number, now))
        : CompletableFuture.supplyAsync(
            () -> generated(request.episode(), number, System.nanoTime()),
            CompletableFuture.delayedExecutor(pause(), TimeUnit.MILLISECONDS));
  }

  /** Half as long to half as long again: policies that are asked together do not end together. */
  private long pause() {
    return think.toMillis() / 2 + ThreadLocalRandom.current().nextLong(think.toMillis() + 1);
  }

  private PolicyOutcome generated(EpisodeId episode, int turn, long at) {
    if (turn < turns) {
      generated.put(episode, at);
    }
    return new PolicyOutcome.Generated(
        text(episode, turn), Optional.empty(), FinishReason.STOP,
        new TokenUsage(1_000, TURN_CHARS / 4, 0), "instant");
  }

  private String text(EpisodeId episode, int turn) {
    if (turn >= turns) {
      return THINK + "done" + EVALUATION + "<review><rubric_review>e</rubric_review>"
          + "<writing_plan>f</writing_plan></review><answer>"
          + "<cite id=\"S_1\">" + words.text(200, episode.hashCode(), turn) + "</cite></answer>";
    }
    String end =
        (turn == 0 ? PLAN : EVALUATION) + "<call_tool name=\"instant_search\">"
            + words.text(60, episode.hashCode(), turn, 1).strip() + "</call_tool>";
    return THINK
        + words.text(TURN_CHARS - THINK.length() - end.length(), episode.hashCode(), turn) + end;
  }

  @Override
  public CompletionStage<ToolOutcome> call(ToolRequest request) {
    int key = request.callId().hashCode();
    Passage passage =
        new Passage(
            "d" + key, "title", "file:///d", "", 0, RESULT_CHARS,
            words.text(RESULT_CHARS, key, 2), 1, Optional.empty());
    return CompletableFuture.completedStage(
        new ToolOutcome.Found(List.of(passage), Searched.NOTHING, List.of()));
  }
}
