package rubricem.actors.episode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import rubricem.actors.call.RetrySchedule;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.PendingCall;
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

/** Lives an episode through whatever can happen to it, by chance, on a clock of nanoseconds. */
final class RandomEpisode {
  static final EpisodeSettings SETTINGS =
      new EpisodeSettings(
          retries(3), retries(2), retries(2), retries(2), 4, 3, 2, 2, 0.25, Duration.ofSeconds(60),
          Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(60), 2_000, 1_500,
          20);

  private static final String PLAN =
      "<think>plan</think><structured_plan><deep_analysis>d</deep_analysis><rubric>- r</rubric>"
          + "<research_plan>p</research_plan></structured_plan>";
  private static final String HASH = "ab".repeat(32);

  private final EpisodeDecider decider = new EpisodeDecider(SETTINGS);
  private final RandomGenerator random;
  private final List<EpisodeEvent> events = new ArrayList<>();
  private EpisodeState state = EpisodeState.EMPTY;
  private Instant now = Instant.parse("2026-03-01T10:00:00.123456789Z");

  private RandomEpisode(RandomGenerator random) {
    this.random = random;
  }

  private static RetrySchedule retries(int attempts) {
    return new RetrySchedule(
        attempts, Duration.ofNanos(700_333), Duration.ofSeconds(5), Duration.ofSeconds(30));
  }

  static List<EpisodeEvent> events(RandomGenerator random, int inputs) {
    RandomEpisode episode = new RandomEpisode(random);
    episode.take(episode.start());
    for (int i = 0; i < inputs; i++) {
      episode.now = episode.now.plusNanos(random.nextLong(4_000_000_000L));
      episode.take(episode.input());
    }
    return List.copyOf(episode.events);
  }

  private void take(EpisodeInput input) {
    for (EpisodeEvent event : decider.decide(state, input, now)) {
      events.add(event);
      state = EpisodeFold.apply(state, event);
    }
  }

  private EpisodeInput start() {
    EpisodeRequest request =
        new EpisodeRequest(
            "When? \ud83c", FormatLabel.LONG_FORM, "p", List.of("corpus"), List.of("/d"),
            new EpisodeLimits(4, 60, 20_000, 0), 0, Map.of());
    return new EpisodeInput.Start(
        new EpisodeId("e1"), request, new PromptRef("agent", HASH), new PromptRef("form", HASH),
        List.of("local_search"), Searched.NOTHING);
  }

  private EpisodeInput input() {
    int chance = random.nextInt(100);
    if (chance < 2) {
      return EpisodeInput.Cancel.INPUT;
    } else if (chance < 6) {
      return EpisodeInput.Finish.INPUT;
    } else if (chance < 14) {
      return EpisodeInput.TimePassed.INPUT;
    } else if (chance < 22) {
      return EpisodeInput.Recovered.INPUT;
    } else if (state.pending().isEmpty()) {
      return new EpisodeInput.Resume("q");
    }
    PendingCall pending = state.pending().get();
    if (pending.retryAt().isPresent()) {
      return new EpisodeInput.RetryDue(pending.callId());
    }
    return switch (pending) {
      case PendingCall.OfPolicy call -> new EpisodeInput.PolicyFinished(call.callId(), turn());
      case PendingCall.OfTool call -> new EpisodeInput.ToolFinished(call.callId(), result());
      case PendingCall.OfCitationCheck call ->
          new EpisodeInput.CitationsScored(call.callId(), List.of());
    };
  }

  private PolicyOutcome turn() {
    String text =
        switch (random.nextInt(9)) {
          case 0 -> "nothing to act on \udf0a";
          case 1, 2, 3 -> PLAN + call(random.nextInt(3));
          case 4, 5 -> "<think>on</think><state_evaluation>s</state_evaluation>" + call(0);
          case 6 -> "";
          default ->
              "<think>end</think><state_evaluation>s</state_evaluation><review><rubric_review>r"
                  + "</rubric_review><writing_plan>w</writing_plan></review><answer><cite id=\"S_1"
                  + "\">It turns.</cite></answer>";
        };
    return switch (random.nextInt(10)) {
      case 0 -> new PolicyOutcome.Failed(failure("unavailable"));
      case 1 -> new PolicyOutcome.Failed(new CallFailure.Terminal("context_too_long", "long"));
      default ->
          new PolicyOutcome.Generated(
              text, Optional.empty(),
              random.nextInt(5) == 0 ? FinishReason.LENGTH : FinishReason.STOP,
              new TokenUsage(random.nextInt(2_000), 50, 0), "m");
    };
  }

  private static String call(int number) {
    return "<call_tool name=\"local_search\">tide " + number + "</call_tool>";
  }

  private ToolOutcome result() {
    return switch (random.nextInt(6)) {
      case 0 -> new ToolOutcome.Failed(failure("search_failed"));
      case 1 -> new ToolOutcome.Refused("no");
      default -> {
        List<Passage> passages = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          int from = 10 * random.nextInt(6);
          passages.add(
              new Passage(
                  "tides.md", "Tides", "file:///d/tides.md", "", from, from + 10,
                  "It turns. \ud83c " + "x".repeat(300), 0.5, Optional.empty()));
        }
        yield new ToolOutcome.Found(passages, new Searched(1, 1, List.of()), List.of("n"));
      }
    };
  }

  private CallFailure failure(String kind) {
    Optional<Duration> asked =
        random.nextBoolean() ? Optional.empty() : Optional.of(Duration.ofNanos(1_555_555_555));
    return new CallFailure.Transient(kind, "later", asked);
  }

}
