package rubricem.protocol.episode;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.Transient;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.report.Citation;
import rubricem.protocol.report.CitationCheck;
import rubricem.protocol.report.ReportModel;
import rubricem.protocol.scaffold.FormatLabel;
import rubricem.protocol.scaffold.Stage;

/**
 * An episode as people and programs see it: the episode object of the HTTP API, in snake case. Its
 * fields are always there; what is not known yet is null.
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record EpisodeView(
    EpisodeId id,
    EpisodeStatus status,
    Optional<EpisodeOutcome> outcome,
    Stage stage,
    String question,
    FormatLabel format,
    Policy policy,
    Optional<Plan> plan,
    Optional<Review> review,
    Optional<Answer> answer,
    List<Citation> citations,
    CitationCheck citationCheck,
    List<Source> sources,
    Searched searched,
    Usage usage,
    EpisodeLimits limits,
    Optional<Failure> error,
    Optional<FinishCause> finishCause,
    Map<String, String> metadata,
    Instant createdAt,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    long eventCount,
    @com.fasterxml.jackson.annotation.JsonIgnore Optional<ReportModel> report)
    implements Transient {

  /** @param version what the service said it ran, as of the last turn */
  public record Policy(String spec, String version) {}

  public record Plan(
      Optional<String> deepAnalysis, Optional<String> rubric, Optional<String> researchPlan) {}

  public record Review(String rubricReview, String writingPlan) {}

  /**
   * @param text as the policy wrote it, cites included
   * @param markdown rendered, with numbers
   */
  public record Answer(String text, String markdown) {}

  public record Source(String snippetId, String title, String url, String tool, String callId) {}

  /**
   * @param repeatedCalls calls that were in flight when a process died and were made again
   * @param violations departures from the turn grammar, tolerated ones included
   */
  public record Usage(
      int modelCalls,
      int toolCalls,
      long promptTokens,
      long completionTokens,
      double costUsd,
      int repeatedCalls,
      int violations) {}

  public record Failure(String kind, String message) {}
}
