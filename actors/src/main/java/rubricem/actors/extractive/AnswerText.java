package rubricem.actors.extractive;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import rubricem.actors.extractive.Findings.Group;
import rubricem.actors.extractive.Findings.Quoted;
import rubricem.protocol.report.MarkdownText;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * Writes findings in the requested format. Every quoted sentence is cited by the passage it stands
 * in; every other word is of the question or of {@link Wording} in its language. What was not
 * found is named. Without findings it cites nothing and boxes nothing.
 */
final class AnswerText {
  private final Findings findings;
  private final StringBuilder out = new StringBuilder();

  private AnswerText(Findings findings) {
    this.findings = findings;
  }

  /** For an episode in which no search worked: nothing is known of the documents. */
  static String searchFailed(Question question) {
    return Wording.NO_SEARCH.in(question.language());
  }

  static String of(FormatLabel format, Findings findings) {
    AnswerText text = new AnswerText(findings);
    if (findings.empty()) {
      return Wording.NO_EVIDENCE.in(findings.question().language());
    }
    switch (format) {
      case LONG_FORM -> text.sections();
      case SHORT_FORM -> text.paragraph();
      case EXACT_ANSWER -> text.boxed();
    }
    return text.out.toString().strip();
  }

  private void sections() {
    List<Group> groups = findings.groups().stream().filter(g -> !g.quotes().isEmpty()).toList();
    boolean headed = findings.groups().size() > 1;
    for (Group group : groups) {
      if (headed) {
        out.append("### ").append(shown(group.facet().text())).append("\n\n");
      }
      for (Quoted quoted : group.quotes()) {
        out.append("- ");
        if (!quoted.label().isEmpty()) {
          out.append("**").append(Quote.escape(quoted.label())).append("** ");
        }
        out.append(String.join(" ", cites(quoted))).append('\n');
      }
      out.append('\n');
    }
    missing();
  }

  private void missing() {
    Set<String> missing = named(findings.missing());
    if (missing.isEmpty() && findings.notUnderstood().isEmpty()) {
      return;
    }
    out.append("### ").append(Wording.NOT_FOUND.in(findings.question().language())).append("\n\n");
    missing.forEach(m -> out.append("- ").append(m).append('\n'));
    notUnderstood().ifPresent(n -> out.append("- ").append(n).append('\n'));
  }

  private Optional<String> notUnderstood() {
    List<String> words = findings.notUnderstood();
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Wording.NOT_UNDERSTOOD.in(findings.question().language()) + ": "
                + words.stream().map(AnswerText::shown).collect(Collectors.joining(", ")));
  }

  /**
   * What is missing as it was asked: a comparison of which nothing was found by itself, one of
   * which a side was found with the side that was not.
   */
  private Set<String> named(List<Facet> missing) {
    Set<String> named = new LinkedHashSet<>();
    for (Facet facet : missing) {
      boolean whole = findings.question().facets().stream()
          .filter(f -> f.asked().equals(facet.asked())).allMatch(missing::contains);
      String asked = shown(facet.asked());
      named.add(whole ? asked : asked + " — " + shown(facet.text()));
    }
    return named;
  }

  private void paragraph() {
    out.append(
        Digest.of(findings).stream()
            .map(s -> Quote.cited(s.passage().id(), s.text()))
            .collect(Collectors.joining(" ")));
    Set<String> missing = named(findings.missing());
    notUnderstood().ifPresent(missing::add);
    if (!missing.isEmpty()) {
      out.append(' ').append(Wording.NOT_FOUND.in(findings.question().language())).append(": ");
      out.append(String.join("; ", missing));
    }
  }

  private void boxed() {
    Group first = findings.groups().stream()
        .filter(g -> !g.quotes().isEmpty()).findFirst().orElseThrow();
    Digest.Sentence decisive = Digest.decisive(first);
    TableLines tables = TableLines.of(decisive.passage().text());
    String header = tables.header(decisive.text()).orElse("");
    String answer =
        ExactAnswer.of(
            findings.question(), first.facet(), decisive.text(), decisive.quoted().label(),
            tables.cellsOf(decisive.text()), TableLines.cells(header));
    out.append("\\boxed{").append(answer).append("}\n\n");
    if (!header.isEmpty()) {
      out.append("**").append(Quote.escape(Sentences.bare(header))).append("** ");
    }
    out.append(Quote.cited(decisive.passage().id(), decisive.text()));
  }

  /** A part in the question's words; a tag in them must not become a citation of ours. */
  private static String shown(String part) {
    return MarkdownText.escape(part.replace('<', '‹').replace('>', '›'));
  }

  private static List<String> cites(Quoted quoted) {
    return quoted.sentences().stream().map(s -> Quote.cited(quoted.passage().id(), s)).toList();
  }
}
