package rubricem.persistence.serialization;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.report.SupportScore;
import rubricem.protocol.report.SupportState;
import rubricem.protocol.scaffold.FormatLabel;
import rubricem.protocol.scaffold.ToolCall;

/** One event of every kind with every option filled, in an order that an episode could have. */
public final class EventSamples {
  /** Letters of several scripts, a character beyond 16 bits, controls and line separators. */
  public static final String ODD =
      "Ebbe \u0000\u001b[31m und Flut \u6f6e\u6c50 \ud83c\udf0a \u2028 \u202e";

  private static final EpisodeId ID = new EpisodeId("e01golden0000000000000000001");
  private static final String HASH = "ab".repeat(32);
  private static final Searched SEARCHED =
      new Searched(14, 15, List.of("charts/old.pdf: encrypted"));

  private EventSamples() {}

  private static Instant at(int step) {
    return Instant.parse("2026-03-01T10:00:00.123Z").plusMillis(1_007L * step);
  }

  private static CallId call(int number) {
    return CallId.of(ID, number);
  }

  public static List<EpisodeEvent> all() {
    CallFailure wait =
        new CallFailure.Transient("rate_limit", "too many", Optional.of(Duration.ofMillis(1_500)));
    CallFailure never = new CallFailure.Terminal("auth", "the key is refused");
    ToolCall tool = tool();
    return List.of(
        started(),
        new EpisodeEvent.PolicyCallRequested(at(1), call(1), 1, HASH, List.of("S_1")),
        new EpisodeEvent.PolicyCallFailed(at(2), call(1), 1, wait, Optional.of(at(3))),
        new EpisodeEvent.CallRetried(at(3), call(1), 2),
        new EpisodeEvent.CallRepeated(at(4), call(1)),
        new EpisodeEvent.PolicyTurnGenerated(
            at(5), call(1), "<think>" + ODD + "</think>", Optional.of("thought"),
            FinishReason.LENGTH, new TokenUsage(812, 64, 0.00125), "model-2026-01"),
        new EpisodeEvent.TurnRejected(
            at(5), call(1), List.of("no_action"), "Write one action at the end."),
        new EpisodeEvent.ViolationsTolerated(at(6), call(1), List.of("text_outside")),
        new EpisodeEvent.ToolCallRequested(at(6), call(2), tool),
        new EpisodeEvent.ToolCallFailed(at(7), call(2), 1, wait, Optional.of(at(8))),
        new EpisodeEvent.ToolCallCompleted(
            at(9), call(2), List.of(snippet()), List.of("S_1"), SEARCHED, List.of("by words only"),
            List.of("S_1: fake_tag")),
        new EpisodeEvent.ToolCallServed(at(10), call(3), call(2), tool, 2),
        new EpisodeEvent.ToolCallRefused(at(11), call(4), "limit must be a whole number"),
        new EpisodeEvent.FinishBegun(at(12), FinishCause.TOOL_CALLS),
        new EpisodeEvent.CitationCheckRequested(at(13), call(5)),
        new EpisodeEvent.CitationsChecked(at(14), call(5), List.of(verdict())),
        new EpisodeEvent.PolicyCallFailed(at(15), call(6), 2, never, Optional.empty()),
        new EpisodeEvent.EpisodeFailed(at(15), "auth", "the key is refused", true),
        new EpisodeEvent.EpisodeResumed(at(60), "extractive"),
        new EpisodeEvent.EpisodeCancelled(at(61)),
        new EpisodeEvent.EpisodeCompleted(at(62), EpisodeOutcome.LIMIT_REACHED));
  }

  private static EpisodeEvent started() {
    EpisodeRequest request =
        new EpisodeRequest(
            "When does the tide turn? " + ODD, FormatLabel.SHORT_FORM, "openai:http://host/v1#m",
            List.of("corpus", "web"), List.of("/documents"),
            new EpisodeLimits(10, 600, 1_000_000, 0.5), 42, Map.of("asked by", "a test"));
    return new EpisodeEvent.EpisodeStarted(
        at(0), ID, request, new PromptRef("agent-v1", HASH), new PromptRef("format-v1", HASH),
        List.of("local_search"), SEARCHED);
  }

  public static ToolCall tool() {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("limit", "4");
    attributes.put("document", "tides.md");
    attributes.put("around", "tides.md#0-10");
    return new ToolCall("local_search", "turn of the tide", attributes);
  }

  private static Snippet snippet() {
    return new Snippet(
        "S_1", call(2), "local_search",
        new Passage(
            "tides.md", "Tides, Turning", "file:///documents/tides.md", "section 2", 120, 180,
            "The tide turns twice a day. " + ODD, 0.03125, Optional.of("key: tides.md#120-180")));
  }

  private static ClaimVerdict verdict() {
    return new ClaimVerdict(
        0, "S_1",
        new SupportScore(
            SupportState.WEAK, "The tide turns twice a day.", 0.75, Optional.of(0.5),
            List.of("2"), true));
  }
}
