package rubricem.protocol.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * A report with everything decided: numbers, links, states, language. Markdown, HTML, PDF and JSON
 * are written from this one value, so that they cannot differ. It is the JSON form itself.
 *
 * @param language a language tag, guessed from the question; headings of ours are in it
 * @param answer Markdown of the answer, numbered; the API's {@code answer.markdown}
 * @param body the same with marks of {@link ClaimMarks} in place of the numbers
 */
public record ReportModel(
    String episode,
    String question,
    FormatLabel format,
    String outcome,
    String language,
    String answer,
    @JsonIgnore String body,
    @JsonIgnore Set<String> allowedUrls,
    List<Citation> citations,
    List<Reference> references,
    CitationCheck citationCheck,
    Searched searched,
    List<ReportInput.Query> queries,
    List<String> notFound,
    List<String> limitsReached,
    String policy,
    String policyVersion,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    ReportUsage usage) {

  public static ReportModel of(ReportInput input) {
    return new ReportModel(
        input.episode(), input.question(), input.format(), input.outcome(), "en", "", "",
        Set.of(), List.of(), List.of(), CitationCheck.NONE, input.searched(), input.queries(),
        input.notFound(), input.limitsReached(), input.policy(), input.policyVersion(),
        input.startedAt(), input.endedAt(), input.usage());
  }
}
