package rubricem.actors.episode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.actors.call.RetrySchedule;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.PendingCall;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.scaffold.FormatLabel;

/** An episode played by hand: inputs go in, the events of each decision come out as their kinds. */
final class Talk {
  static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
  static final EpisodeId ID = new EpisodeId("e1");
  static final String TOOL = "local_search";
  static final EpisodeLimits LIMITS = new EpisodeLimits(10, 600, 1_000_000, 0);
  static final EpisodeSettings SETTINGS = settings(104_000);

  static final String OPEN = "<think>t</think><structured_plan><deep_analysis>d</deep_analysis>"
      + "<rubric>r</rubric><research_plan>p</research_plan></structured_plan>";
  static final String NEXT = "<think>t</think><state_evaluation>s</state_evaluation>";
  static final String REVIEW = "<review><rubric_review>x</rubric_review>"
      + "<writing_plan>y</writing_plan></review>";
  static final String ANSWER =
      NEXT + REVIEW + "<answer><cite id=\"S_1\">The moon raises tides.</cite></answer>";
  static final String CUT_ANSWER =
      NEXT + REVIEW + "<answer><cite id=\"S_1\">The moon raises tides.</cite> And it";
  static final String NONSENSE = "I would rather chat.";

  private final EpisodeDecider decider;
  EpisodeState state = EpisodeState.EMPTY;
  final List<EpisodeEvent> events = new ArrayList<>();
  Instant now = T0;

  Talk(EpisodeSettings settings) {
    decider = new EpisodeDecider(settings);
  }

  static Talk started() {
    return started(LIMITS);
  }

  static Talk started(EpisodeLimits limits) {
    return started(limits, SETTINGS);
  }

  static Talk started(EpisodeLimits limits, EpisodeSettings settings) {
    Talk talk = new Talk(settings);
    talk.give(start(request(limits)));
    return talk;
  }

  static EpisodeSettings settings(int promptCharsMax) {
    return new EpisodeSettings(
        new RetrySchedule(4, s(1), s(30), s(120)), new RetrySchedule(2, s(1), s(1), s(60)),
        new RetrySchedule(2, s(1), s(10), s(60)),
        new RetrySchedule(3, s(1), s(5), s(30)), 8, 3, 2, 2, 0.25, s(60), s(30), s(180), s(60),
        8_192, promptCharsMax, 20);
  }

  static Duration s(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  static EpisodeRequest request(EpisodeLimits limits) {
    return new EpisodeRequest(
        "Why are there tides?", FormatLabel.SHORT_FORM, "scripted:x", List.of("corpus"),
        List.of("/docs"), limits, 7, Map.of());
  }

  static EpisodeInput start(EpisodeRequest request) {
    PromptRef prompt = new PromptRef("agent-v1", "00");
    return new EpisodeInput.Start(
        ID, request, prompt, prompt, List.of(TOOL), new Searched(1, 1, List.of()));
  }

  static String call(String query) {
    return "<call_tool name=\"" + TOOL + "\">" + query + "</call_tool>";
  }

  static Passage passage(int n) {
    return passage(n, "The moon raises tides, says page " + n + ".");
  }

  static Passage passage(int n, String text) {
    return new Passage(
        "tides.txt", "Tides", "file:///docs/tides.txt", "page " + n, 100 * n, 100 * n + 50, text,
        1, Optional.of("key: tides.txt#" + 100 * n + "-" + (100 * n + 50)));
  }

  /** The kinds of the events that {@code input} makes, in order. */
  List<String> give(EpisodeInput input) {
    List<EpisodeEvent> made = decider.decide(state, input, now);
    for (EpisodeEvent event : made) {
      state = EpisodeFold.apply(state, event);
    }
    events.addAll(made);
    return made.stream().map(EpisodeEvent::kind).toList();
  }

  /** What {@code input} would make at {@code at}, without making it. */
  List<EpisodeEvent> wouldMake(EpisodeInput input, Instant at) {
    return decider.decide(state, input, at);
  }

  CallId pending() {
    return state.pending().map(PendingCall::callId).orElseThrow();
  }

  List<String> says(String text) {
    return says(text, FinishReason.STOP, new TokenUsage(100, 50, 0.01));
  }

  List<String> says(String text, FinishReason finish, TokenUsage usage) {
    return give(
        new EpisodeInput.PolicyFinished(
            pending(),
            new PolicyOutcome.Generated(text, Optional.empty(), finish, usage, "v1")));
  }

  List<String> cut(String text) {
    return says(text, FinishReason.LENGTH, TokenUsage.NONE);
  }

  List<String> policyFails(CallFailure failure) {
    return give(
        new EpisodeInput.PolicyFinished(pending(), new PolicyOutcome.Failed(failure)));
  }

  List<String> finds(Passage... passages) {
    return give(found(pending(), passages));
  }

  static EpisodeInput found(CallId call, Passage... passages) {
    return new EpisodeInput.ToolFinished(
        call,
        new ToolOutcome.Found(List.of(passages), new Searched(1, 1, List.of()), List.of()));
  }

  List<String> toolFails(CallFailure failure) {
    return give(new EpisodeInput.ToolFinished(pending(), new ToolOutcome.Failed(failure)));
  }

  List<String> checks() {
    return give(new EpisodeInput.CitationsScored(pending(), List.of()));
  }

  List<String> after(Duration wait, EpisodeInput input) {
    now = now.plus(wait);
    return give(input);
  }

  /** Goes to the time the pending call is due again and says so. */
  List<String> retry() {
    now = state.pending().orElseThrow().retryAt().orElseThrow();
    return give(new EpisodeInput.RetryDue(pending()));
  }

  Optional<Instant> wake() {
    return decider.wake(state);
  }

  static CallFailure busy() {
    return new CallFailure.Transient("overloaded", "busy", Optional.empty());
  }

  static CallFailure busy(Duration retryAfter) {
    return new CallFailure.Transient("rate_limit", "slow down", Optional.of(retryAfter));
  }

  static CallFailure refused() {
    return new CallFailure.Terminal("auth", "the key is wrong");
  }

  static CallFailure tooLong() {
    return new CallFailure.Terminal("context_too_long", "the prompt is too long");
  }

  // -- talks that have come some way ------------------------------------------------------------

  static Talk with(Talk talk, java.util.function.Consumer<Talk> step) {
    step.accept(talk);
    return talk;
  }

  static Talk calling() {
    return with(Talk.started(), t -> t.says(OPEN + call("moon")));
  }

  static Talk researching() {
    return with(calling(), t -> t.finds(passage(1)));
  }

  static Talk checking() {
    return with(researching(), t -> t.says(ANSWER));
  }
}
