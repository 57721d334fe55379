package rubricem.actors.extractive;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import rubricem.actors.extractive.Findings.Group;
import rubricem.actors.extractive.Findings.Quoted;
import rubricem.protocol.report.MarkdownText;
import rubricem.protocol.scaffold.FormatLabel;
import rubricem.protocol.scaffold.Review;

/** Writes the review: each criterion of the plan and what meets it, then how to answer. */
final class ReviewText {
  private ReviewText() {}

  /** @param read the passages that were found, quoted or not */
  static Review of(Findings findings, FormatLabel format, int read) {
    StringBuilder review = new StringBuilder();
    List<PlanText.Item> items = PlanText.knowledge(findings.question());
    for (PlanText.Item item : items) {
      judge(review, item, verdict(findings.groups().get(item.number() - 1)));
    }
    if (items.isEmpty()) {
      review.append("The question holds nothing that could be looked for.\n");
    }
    PlanText.apart(findings.question(), format).filter(i -> !findings.empty())
        .ifPresent(i -> judge(review, i, "met: each has its heading"));
    if (!findings.empty()) {
      judge(review, PlanText.shape(format), "met: it is planned so");
      judge(review, PlanText.VERBATIM, verbatim(findings));
      judge(review, PlanText.ABOUT, about(findings, read));
    }
    judge(review, PlanText.NAMED, named(findings, format));
    review.append("Directives: quote word for word, cite each quote, name what is missing.");
    return new Review(review.toString(), plan(findings, format));
  }

  private static void judge(StringBuilder review, PlanText.Item item, String verdict) {
    review.append(item).append(" — ").append(verdict).append('\n');
  }

  private static String verbatim(Findings findings) {
    List<String> strange =
        quoted(findings)
            .flatMap(q -> q.sentences().stream().filter(s -> !stands(s, q.passage().text())))
            .toList();
    long sentences = quoted(findings).mapToLong(q -> q.sentences().size()).sum();
    return strange.isEmpty()
        ? "kept: " + count(sentences, "sentence") + " compared"
        : "not met: " + strange.size() + " of " + count(sentences, "sentence");
  }

  /** Breaks of lines and runs of spaces are the paper's, not the sentence's. */
  private static boolean stands(String sentence, String passage) {
    return MarkdownText.line(passage).contains(MarkdownText.line(sentence));
  }

  private static String about(Findings findings, int read) {
    long used = quoted(findings).map(q -> q.passage().id()).distinct().count();
    return "kept: " + used + " of " + count(read, "passage") + " are quoted";
  }

  private static String named(Findings findings, FormatLabel format) {
    int bare = findings.missing().size();
    boolean one = format == FormatLabel.EXACT_ANSWER && !findings.empty();
    if (one && findings.groups().size() > 1) {
      return "not met: the shape has room for one answer";
    }
    return bare == 0
        ? "kept: every part has a passage"
        : "kept: the answer names the " + count(bare, "part") + " without a passage";
  }

  private static Stream<Quoted> quoted(Findings findings) {
    return findings.groups().stream().flatMap(g -> g.quotes().stream());
  }

  private static String count(long n, String what) {
    return n + " " + what + (n == 1 ? "" : "s");
  }

  private static String verdict(Group group) {
    if (!group.meeting().isEmpty()) {
      return "met by " + ids(group.meeting());
    }
    return group.quotes().isEmpty()
        ? "not met"
        : "partly met by " + ids(group.quotes()) + ", which is near but does not say it";
  }

  private static String ids(List<Quoted> quotes) {
    return quotes.stream().map(q -> q.passage().id()).distinct()
        .collect(Collectors.joining(", "));
  }

  private static String plan(Findings findings, FormatLabel format) {
    if (findings.empty()) {
      return "Say that nothing was found; cite nothing.";
    }
    String outline =
        findings.groups().stream().filter(g -> !g.quotes().isEmpty())
            .map(g -> "- " + g.facet().text() + ": " + ids(g.quotes()))
            .collect(Collectors.joining("\n"));
    return "Shape: " + format.label() + ". Order and sources:\n" + outline;
  }
}
