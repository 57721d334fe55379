package rubricem.actors.extractive;

import java.util.List;
import java.util.stream.Collectors;
import rubricem.actors.extractive.Findings.Group;
import rubricem.actors.extractive.Findings.Quoted;
import rubricem.protocol.scaffold.FormatLabel;
import rubricem.protocol.scaffold.Review;

/** Writes the review: each criterion of the plan and what meets it, then how to answer. */
final class ReviewText {
  private ReviewText() {}

  static Review of(Findings findings, FormatLabel format) {
    StringBuilder review = new StringBuilder();
    List<PlanText.Item> items = PlanText.knowledge(findings.question());
    for (PlanText.Item item : items) {
      Group group = findings.groups().get(item.number() - 1);
      review.append(item).append(" — ").append(verdict(group)).append('\n');
    }
    if (items.isEmpty()) {
      review.append("The question holds nothing that could be looked for.\n");
    }
    review.append("Directives: quote word for word, cite each quote, name what is missing.");
    return new Review(review.toString(), plan(findings, format));
  }

  private static String verdict(Group group) {
    return group.meeting().isEmpty() ? "not met" : "met by " + ids(group.meeting());
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
            .map(g -> "- " + g.facet().text() + ": " + ids(g.quotes())).collect(Collectors.joining("\n"));
    return "Shape: " + format.label() + ". Order and sources:\n" + outline;
  }
}
