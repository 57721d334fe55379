package rubricem.persistence.episode;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent.EpisodeFailed;
import rubricem.protocol.episode.EpisodeEvent.EpisodeStarted;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.scaffold.Stage;
import rubricem.protocol.scaffold.ToolCall;

/**
 * An episode as its events tell it. {@link EpisodeFold} is the only maker; nothing here knows the
 * time, chance or actors. Texts are kept once: a tool's output is written again from its snippets.
 *
 * @param history the turns, and every snippet retrieved in the order of the ids
 * @param promptCharsMax no history of this state is longer when it is written as a prompt
 * @param calls how many call ids were given out
 * @param rejectedInARow turns since the last one that could be carried out
 * @param truncatedInARow those of them that the output limit had cut
 * @param finalTurns turns generated since exploration ended
 * @param shrinks how often the service found the prompt too long
 * @param turnsForgiven turns before a resumption that do not count against its limit
 * @param callsForgiven tool calls that do not, because no search worked
 * @param clockStart when its clock began; moved on by the time no process was there
 * @param lastAt when the last event happened
 * @param foundSomething whether any tool call ever came back with a result, even an empty one
 * @param events how many events made this state: the sequence number of the last
 */
public record EpisodeState(
    Optional<EpisodeStarted> started,
    EpisodeStatus status,
    History history,
    long promptCharsMax,
    Optional<PendingCall> pending,
    EpisodeUsage usage,
    int calls,
    int rejectedInARow,
    int truncatedInARow,
    int finalTurns,
    int shrinks,
    int turnsForgiven,
    int callsForgiven,
    long lastCallTokens,
    double lastCallCost,
    boolean foundSomething,
    Optional<FinishCause> finish,
    Optional<EpisodeOutcome> outcome,
    Optional<EpisodeFailed> failure,
    List<ClaimVerdict> verdicts,
    Searched searched,
    String policy,
    String modelVersion,
    Optional<Instant> endedAt,
    Instant clockStart,
    Instant lastAt,
    long events) {

  public static final EpisodeState EMPTY =
      new EpisodeState(
          Optional.empty(), EpisodeStatus.QUEUED, History.EMPTY, 0, Optional.empty(),
          EpisodeUsage.NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, Optional.empty(), Optional.empty(),
          Optional.empty(), List.of(), Searched.NOTHING, "", "", Optional.empty(), Instant.EPOCH,
          Instant.EPOCH, 0);

  /** @param callId the call whose outcome is on record */
  public record Asked(CallId callId, int times) {}

  public EpisodeStarted start() {
    return started.orElseThrow(() -> new IllegalStateException("the episode has not started"));
  }

  public EpisodeId id() {
    return start().id();
  }

  public EpisodeRequest request() {
    return start().request();
  }

  public boolean running() {
    return status == EpisodeStatus.RUNNING;
  }

  public List<TurnRecord> turns() {
    return history.turns();
  }

  public List<Snippet> evidence() {
    return history.evidence();
  }

  /** The stage of what happens now, as far as stored turns tell. */
  public Stage stage() {
    List<TurnRecord> turns = turns();
    if (turns.isEmpty()) {
      return Stage.PLAN;
    }
    return switch (turns.getLast().reply()) {
      case TurnRecord.Answered answered -> Stage.ANSWER;
      case TurnRecord.Unread unread -> Stage.RESEARCH;
      case TurnRecord.Rejected rejected -> turns.size() == 1 ? Stage.PLAN : Stage.RESEARCH;
      case TurnRecord.Called called -> Stage.RESEARCH;
    };
  }

  /** The turn that holds the answer, once there is one. */
  public Optional<TurnRecord> answerTurn() {
    List<TurnRecord> turns = turns();
    return turns.isEmpty() || turns.getLast().reply() != TurnRecord.Answered.TURN
        ? Optional.empty()
        : Optional.of(turns.getLast());
  }

  /** Turns that were carried out. */
  public long goodTurns() {
    return turns().stream().filter(t -> !(t.reply() instanceof TurnRecord.Rejected)).count();
  }

  public int toolCallsLeft() {
    int made = usage.toolCalls() - callsForgiven;
    return finish.isPresent() ? 0 : Math.max(0, request().limits().toolCalls() - made);
  }

  /**
   * The outcome on record of this very call: same tool, query and attributes, blanks and case aside.
   * A call that failed is not on record. Looked up in the turns: a waiting episode keeps nothing
   * twice.
   */
  public Optional<Asked> asked(ToolCall call) {
    String key = callKey(call);
    Optional<Asked> last = Optional.empty();
    for (TurnRecord turn : turns()) {
      if (turn.reply() instanceof TurnRecord.Called called && callKey(called.call()).equals(key)) {
        last = onRecord(called);
      }
    }
    return last;
  }

  private static Optional<Asked> onRecord(TurnRecord.Called called) {
    return switch (called.outcome().orElse(null)) {
      case null -> Optional.of(new Asked(called.callId(), 1));
      case TurnRecord.Found found -> Optional.of(new Asked(called.callId(), 1));
      case TurnRecord.Refused refused -> Optional.of(new Asked(called.callId(), 1));
      case TurnRecord.Failed failed -> Optional.empty();
      case TurnRecord.Served served -> Optional.of(new Asked(served.from(), served.times()));
    };
  }

  private static String callKey(ToolCall call) {
    String query = BLANKS.matcher(call.query().strip()).replaceAll(" ").toLowerCase(Locale.ROOT);
    return call.attributes().isEmpty()
        ? call.tool() + "\n" + query
        : call.tool() + "\n" + query + "\n" + new TreeMap<>(call.attributes());
  }

  private static final Pattern BLANKS = Pattern.compile("\\s+");
}
