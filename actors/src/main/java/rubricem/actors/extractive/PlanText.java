package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import rubricem.protocol.scaffold.FormatLabel;
import rubricem.protocol.scaffold.Plan;

/**
 * Writes the plan of the first turn: what the question asks, the criteria its answer will be
 * reviewed by, and the order of the searches. The criteria name what this question needs; the
 * review goes through the same list.
 */
final class PlanText {
  private PlanText() {}

  /**
   * One criterion.
   *
   * @param number the review refers to it by its number; 0: one of those that are not counted
   */
  record Item(int number, int weight, String text) {
    @Override
    public String toString() {
      return (number == 0 ? "- " : number + ". ") + "(" + weight + ") " + text;
    }
  }

  static final Item VERBATIM =
      new Item(0, 3, "No sentence that does not stand word for word in a passage found");
  static final Item ABOUT = new Item(0, 3, "No passage that only shares words with the question");
  static final Item NAMED =
      new Item(0, 2, "Nothing is passed over in silence: what was not found is named");
  private static final Item APART =
      new Item(0, 2, "The parts stand apart, in the order asked, to be compared");

  static Plan of(Question question, FormatLabel format) {
    return new Plan(
        Optional.of(analysis(question)), Optional.of(rubric(question, format)),
        Optional.of(searches(question)));
  }

  private static String analysis(Question question) {
    int parts = question.facets().size();
    StringBuilder text = new StringBuilder();
    text.append("Retrieval: ");
    text.append(parts <= 1 ? "one thing is asked" : parts + " things are asked");
    text.append("; reasoning: ").append(
        parts <= 1 ? "none beyond finding it" : "the parts are answered side by side");
    text.append("; insight: only what passages say is said; formulation: their own sentences.\n");
    text.append("Explicit needs:");
    question.facets().forEach(f -> text.append("\n- ").append(f.text()));
    if (question.facets().isEmpty()) {
      text.append("\n- none that can be searched for");
    }
    text.append("\nImplicit needs: conditions and exceptions that stand beside the answer");
    if (!question.names().isEmpty()) {
      text.append("; what is named must be meant: ").append(String.join(", ", question.names()));
    }
    return text.append('.').toString();
  }

  /** What the answer must hold, a line for each facet and for what its kind demands. */
  static List<Item> knowledge(Question question) {
    List<Item> items = new ArrayList<>();
    for (Facet facet : question.facets()) {
      String kind = switch (facet.wanted()) {
        case ANYTHING -> "A passage answers: ";
        case AMOUNT -> "A passage states the amount: ";
        case DATE -> "A passage states the date: ";
        case DEFAULT -> "A passage states the value that holds by default: ";
      };
      items.add(new Item(items.size() + 1, 3, kind + facet.text()));
    }
    return items;
  }

  /** Whether the parts of the answer are to stand apart. */
  static Optional<Item> apart(Question question, FormatLabel format) {
    return question.facets().size() > 1 && format == FormatLabel.LONG_FORM
        ? Optional.of(APART)
        : Optional.empty();
  }

  static Item shape(FormatLabel format) {
    return new Item(
        0, 1,
        "The shape is " + format.label()
            + ", in the language of the question; quotes stay in theirs");
  }

  private static String rubric(Question question, FormatLabel format) {
    StringBuilder text = new StringBuilder("Knowledge checklist (weight 1 to 3):");
    knowledge(question).forEach(i -> text.append("\n").append(i));
    text.append("\nAnalytical and synthesis criteria:");
    apart(question, format).ifPresent(i -> text.append("\n").append(i));
    text.append("\n").append(shape(format));
    return text.append("\nNegative constraints:")
        .append("\n").append(VERBATIM)
        .append("\n").append(ABOUT)
        .append("\n").append(NAMED)
        .toString();
  }

  private static String searches(Question question) {
    StringBuilder text = new StringBuilder("1. Search for the whole question.");
    if (question.facets().size() > 1) {
      text.append("\n2. Search for each part by itself.");
    }
    return text.append("\nIf a part stays uncovered, then search in words learnt from the passages")
        .append(" found and inside the best documents, else review and answer.").toString();
  }
}
