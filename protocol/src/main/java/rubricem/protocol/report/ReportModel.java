package rubricem.protocol.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * @param limitsReached in that language
 * @param allowedUrls the only addresses the body may link to
 * @param marks the numbers behind each claim, by the claim's index in {@code body}
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
    @JsonIgnore List<List<Integer>> marks,
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

  public static final String NO_EVIDENCE = "no_evidence";

  public static ReportModel of(ReportInput input) {
    CheckedAnswer answer = input.answer();
    List<List<Integer>> marks = answer.numbersOfClaims();
    List<Citation> citations = answer.citations();
    String body = answer.bound().body();
    ReportLanguage language = ReportLanguage.of(input.question());
    return new ReportModel(
        input.episode(), MarkdownText.clean(input.question()).strip(), input.format(),
        input.outcome(), language.tag(), numbered(body, marks), body,
        answer.bound().allowedUrls(), marks, citations, answer.references(citations),
        answer.check(citations), input.searched(), once(input.queries()), input.notFound(),
        input.limitsReached().stream().map(language::limit).toList(), input.policy(), input.policyVersion(), input.startedAt(),
        input.endedAt(), input.usage());
  }

  /** The same search asked again is one line, with the most it ever found. */
  private static List<ReportInput.Query> once(List<ReportInput.Query> queries) {
    Map<List<String>, ReportInput.Query> kept = new LinkedHashMap<>();
    for (ReportInput.Query query : queries) {
      kept.merge(
          List.of(query.tool(), query.text()), query, (a, b) -> a.found() >= b.found() ? a : b);
    }
    return List.copyOf(kept.values());
  }

  /** How many answers of an API show only this: the answer with its numbers, nothing around. */
  static String numbered(String body, List<List<Integer>> marks) {
    return NumberedAnswer.of(body, marks).text();
  }

  ReportLanguage reportLanguage() {
    return ReportLanguage.ofTag(language);
  }

  public String say(Phrase phrase, Object... values) {
    return reportLanguage().say(phrase, values);
  }

  /** The documents that could not be searched, each with its reason in the report's language. */
  public List<String> unreadable() {
    return searched.unread().isEmpty()
        ? searched.unreadable()
        : searched.unread().stream()
            .map(u -> u.document() + ": " + reportLanguage().say(u.kind(), u.detail()))
            .toList();
  }

  @JsonIgnore
  public boolean isRightToLeft() {
    return reportLanguage().isRightToLeft();
  }

  @JsonIgnore
  public boolean isWithoutEvidence() {
    return outcome.equals(NO_EVIDENCE);
  }

  /** The question as a title: its first line, cut at a word where it is long. */
  public String title() {
    String line = MarkdownText.line(question.lines().findFirst().orElse(""));
    if (line.length() <= 160) {
      return line;
    }
    int cut = line.lastIndexOf(' ', 160);
    return line.substring(0, cut > 80 ? cut : line.offsetByCodePoints(0, 70)) + " …";
  }

  /** Whether the title shows less than the question. */
  @JsonIgnore
  public boolean isTitleShorter() {
    return !title().equals(question);
  }
}
