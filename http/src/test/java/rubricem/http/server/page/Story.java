package rubricem.http.server.page;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.http.server.MemoryWorld;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.report.SupportScore;
import rubricem.protocol.report.SupportState;
import rubricem.protocol.scaffold.ToolCall;

/** Writes the events of one episode step by step, as a node would. */
final class Story {
  static final String QUOTE = "The moon raises the tides of the sea.";
  static final String PASSAGE =
      "People have long wondered. " + QUOTE + " The sun adds its part.\n\nA new paragraph follows.";
  static final String RUBRIC =
      "Knowledge checklist (weight 1 to 3):\n1. (3) Says what raises the tides\n"
          + "2. (2) Says how the sun changes them\nNegative constraints:\n- (2) No legends";
  static final String REVIEW =
      "1. (3) Says what raises the tides — met by S_1\n"
          + "2. (2) Says how the sun changes them — not met\nDirections: be brief.";
  static final String ANSWER =
      "## The moon\n\n<cite id=\"S_1\">The moon raises the tides of the sea.</cite>\n\n"
          + "## The sun\n\n<cite id=\"S_2\">The sun is a lamp.</cite>\n\n"
          + "## The rest\n\nNothing more was found.\n\n| Body | Part |\n|---|---|\n| Moon | most |\n";
  private static final Searched SEARCHED =
      new Searched(12, 14, List.of("scan.pdf: no text found", "locked.docx: it is encrypted"));

  private final MemoryWorld world;
  private final EpisodeId id;
  private int calls;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  Story(MemoryWorld world, EpisodeId id) {
    this.world = world;
    this.id = id;
  }

  private Instant now() {
    now = now.plus(Duration.ofMillis(700));
    return now;
  }

  private CallId next() {
    return CallId.of(id, ++calls);
  }

  Story turn(String text) {
    CallId call = next();
    world.append(id, new EpisodeEvent.PolicyCallRequested(now(), call, 1, "p", List.of()));
    world.append(
        id,
        new EpisodeEvent.PolicyTurnGenerated(
            now(), call, text, Optional.empty(), FinishReason.STOP, new TokenUsage(900, 120, 0),
            "v1"));
    return this;
  }

  Story plan() {
    return plan(RUBRIC);
  }

  Story plan(String rubric) {
    return turn(
        "<think>What is asked?</think><structured_plan><deep_analysis>Two bodies.</deep_analysis>"
            + "<rubric>" + rubric + "</rubric><research_plan>1. Search.</research_plan>"
            + "</structured_plan><call_tool name=\"local_search\">what raises tides</call_tool>");
  }

  Story search() {
    return search("what raises tides", passage("tides.txt", "Tides", "", PASSAGE),
        passage("sun.txt", "The sun", "https://example.org/sun", "The sun is far away."));
  }

  static Passage passage(String document, String title, String url, String text) {
    return new Passage(
        document, title, url, "page 3", 40, 40 + text.length(), text, 1, Optional.empty());
  }

  Story search(String query, Passage... passages) {
    CallId call = next();
    world.append(
        id,
        new EpisodeEvent.ToolCallRequested(
            now(), call, new ToolCall("local_search", query, Map.of())));
    List<Snippet> snippets = new java.util.ArrayList<>();
    for (Passage passage : passages) {
      snippets.add(
          new Snippet("S_" + (snippets.size() + 1), call, "local_search", passage));
    }
    world.append(
        id,
        new EpisodeEvent.ToolCallCompleted(
            now(), call, snippets, snippets.stream().map(Snippet::id).toList(), SEARCHED,
            List.of(), List.of("S_1: fake_tag")));
    return this;
  }

  Story answer() {
    return answer(REVIEW, ANSWER);
  }

  Story answer(String review, String answer) {
    return turn(
        "<think>Enough.</think><state_evaluation>All there.</state_evaluation><review>"
            + "<rubric_review>" + review + "</rubric_review><writing_plan>Moon, sun."
            + "</writing_plan></review><answer>" + answer + "</answer>");
  }

  /** The first claim is supported by {@link #QUOTE}, the second weak. */
  Story check() {
    CallId call = next();
    world.append(id, new EpisodeEvent.CitationCheckRequested(now(), call));
    world.append(
        id,
        new EpisodeEvent.CitationsChecked(
            now(), call,
            List.of(
                verdict(0, "S_1", SupportState.SUPPORTED, QUOTE),
                verdict(1, "S_2", SupportState.WEAK, "The sun is far away."))));
    return this;
  }

  /** Nobody compared the claims with their passages. */
  Story leaveUnchecked() {
    CallId call = next();
    world.append(id, new EpisodeEvent.CitationCheckRequested(now(), call));
    world.append(id, new EpisodeEvent.CitationsChecked(now(), call, List.of()));
    return this;
  }

  private static ClaimVerdict verdict(
      int claim, String snippet, SupportState state, String quote) {
    return new ClaimVerdict(
        claim, snippet,
        new SupportScore(state, quote, 1, Optional.of(1.0), List.of(), false));
  }

  void complete(EpisodeOutcome outcome) {
    world.append(id, new EpisodeEvent.EpisodeCompleted(now(), outcome));
  }

  /** A turn that somebody's wish to finish cut off, and the wish. */
  Story finishInTheMiddle() {
    CallId call = next();
    world.append(id, new EpisodeEvent.PolicyCallRequested(now(), call, 1, "p", List.of()));
    world.append(
        id,
        new EpisodeEvent.PolicyCallFailed(
            now(), call, 1,
            new CallFailure.Terminal("stopped", "the research was ended here"),
            Optional.empty()));
    return finish(FinishCause.REQUESTED);
  }

  Story finish(FinishCause cause) {
    world.append(id, new EpisodeEvent.FinishBegun(now(), cause));
    return this;
  }

  /** A turn has begun and nothing of it has come. */
  Story think() {
    world.append(id, new EpisodeEvent.PolicyCallRequested(now(), next(), 1, "p", List.of()));
    return this;
  }

  /** The same search, answered from what is there. */
  Story searchAgain(String query) {
    world.append(
        id,
        new EpisodeEvent.ToolCallServed(
            now(), next(), CallId.of(id, 2), new ToolCall("local_search", query, Map.of()), 2));
    return this;
  }

  void fail(String message) {
    fail("auth", message);
  }

  void fail(String kind, String message) {
    world.append(id, new EpisodeEvent.EpisodeFailed(now(), kind, message, false));
  }

  void cancel() {
    world.append(id, new EpisodeEvent.EpisodeCancelled(now()));
  }

  /** Everything, at once. */
  void whole() {
    plan().search().answer().check().complete(EpisodeOutcome.ANSWERED);
  }
}
