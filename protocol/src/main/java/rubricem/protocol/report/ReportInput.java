package rubricem.protocol.report;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * Everything a report shows.
 *
 * @param outcome the episode's outcome word: {@code answered}, {@code no_evidence}, …
 * @param limitsReached the labels of the limits that ended the research early; empty: none
 * @param queries what was asked of which tool, in order
 * @param notFound what was looked for and not found, one item each
 * @param policy the policy's specification and version, as the user may see it
 */
public record ReportInput(
    String episode,
    String question,
    FormatLabel format,
    String outcome,
    CheckedAnswer answer,
    Searched searched,
    List<Query> queries,
    List<String> notFound,
    List<String> limitsReached,
    String policy,
    String policyVersion,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    ReportUsage usage) {

  /** @param found how many passages came back */
  public record Query(String tool, String text, int found) {}

  /** A report of nothing but a checked answer; what else is known is added by the caller. */
  public static ReportInput of(
      String episode, String question, FormatLabel format, String outcome, CheckedAnswer answer) {
    return new ReportInput(
        episode, question, format, outcome, answer, Searched.NOTHING, List.of(), List.of(),
        List.of(), "", "", Optional.empty(), Optional.empty(), ReportUsage.NONE);
  }
}
