package rubricem.persistence.replay;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.report.SupportScore;
import rubricem.protocol.report.SupportState;
import rubricem.protocol.scaffold.FormatLabel;
import rubricem.protocol.scaffold.ToolCall;

/**
 * An episode of a given length as a policy with tools leaves it in the journal: the same number
 * gives the same events. Its writes are those of a node: a request is stored together with what led
 * to it.
 */
final class SampleEpisode {
  /**
   * Events from start to end beside the rounds: start, request, last turn, check, verdicts, end.
   */
  private static final int FRAME = 6;
  private static final int ROUND = 4;
  private static final int PASSAGES = 4;
  private static final String PROMPT = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final String WORDS =
      "The pilot boat leaves the harbour an hour before high water and waits beyond the bar. ";

  private final EpisodeId id;
  private final int turnChars;
  private final int resultChars;
  private final List<List<EpisodeEvent>> writes = new ArrayList<>();
  private Instant now = BEGIN;
  private int calls;
  private int snippets;

  private SampleEpisode(int number, int turnChars, int resultChars) {
    this.id = new EpisodeId(String.format("e%026d", number));
    this.turnChars = turnChars;
    this.resultChars = resultChars;
  }

  /** The writes of an episode of {@code events} events: 6, 10, 14, … */
  static List<List<EpisodeEvent>> writes(
      int number, int events, int turnChars, int resultChars) {
    SampleEpisode episode = new SampleEpisode(number, turnChars, resultChars);
    episode.start();
    for (int i = 0; i < (events - FRAME) / ROUND; i++) {
      episode.round();
    }
    episode.answer();
    return episode.writes;
  }

  private void start() {
    EpisodeRequest request =
        new EpisodeRequest(
            "When does the pilot boat leave the harbour?", FormatLabel.LONG_FORM, "extractive",
            List.of("corpus"), List.of("/documents"), new EpisodeLimits(20, 600, 1_000_000, 0), 0,
            Map.of());
    write(
        new EpisodeEvent.EpisodeStarted(
            now, id, request, new PromptRef("agent-v1", PROMPT),
            new PromptRef("format-long_form-v1", PROMPT), List.of("local_search"),
            new Searched(15, 15, List.of())),
        request());
  }

  private void round() {
    CallId turn = call();
    CallId tool = CallId.of(id, ++calls);
    ToolCall call = new ToolCall("local_search", "pilot boat, number " + tool, Map.of("limit", "4"));
    write(generated(turn), new EpisodeEvent.ToolCallRequested(now, tool, call));
    List<Snippet> found = new ArrayList<>();
    for (int i = 0; i < PASSAGES; i++) {
      found.add(snippet(tool));
    }
    write(
        new EpisodeEvent.ToolCallCompleted(
            now, tool, List.copyOf(found), found.stream().map(Snippet::id).toList(),
            new Searched(15, 15, List.of()), List.of(), List.of()),
        request());
  }

  private void answer() {
    CallId turn = call();
    CallId check = CallId.of(id, ++calls);
    write(generated(turn), new EpisodeEvent.CitationCheckRequested(now, check));
    SupportScore score =
        new SupportScore(
            SupportState.SUPPORTED, WORDS.strip(), 0.8, Optional.of(0.9), List.of(), false);
    write(
        new EpisodeEvent.CitationsChecked(
            now, check, List.of(new ClaimVerdict(0, "S_1", score))),
        new EpisodeEvent.EpisodeCompleted(now, EpisodeOutcome.ANSWERED));
  }

  private void write(EpisodeEvent... events) {
    writes.add(List.of(events));
    now = now.plusMillis(1_250);
  }

  private EpisodeEvent request() {
    return new EpisodeEvent.PolicyCallRequested(
        now, CallId.of(id, ++calls), 1, PROMPT, List.of());
  }

  private CallId call() {
    return CallId.of(id, calls);
  }

  private EpisodeEvent generated(CallId turn) {
    return new EpisodeEvent.PolicyTurnGenerated(
        now, turn, text(turnChars), Optional.empty(), FinishReason.STOP,
        new TokenUsage(900, 100, 0.001), "sample");
  }

  private Snippet snippet(CallId tool) {
    int number = ++snippets;
    int from = number * 1_000;
    Passage passage =
        new Passage(
            "harbour/pilots.md", "Pilots, The boat", "file:///documents/harbour/pilots.md",
            "section 2", from, from + resultChars / PASSAGES, text(resultChars / PASSAGES), 0.5,
            Optional.of("key: harbour/pilots.md#" + from));
    return new Snippet("S_" + number, tool, "local_search", passage);
  }

  private static String text(int chars) {
    return WORDS.repeat(chars / WORDS.length() + 1).substring(0, chars);
  }
}
