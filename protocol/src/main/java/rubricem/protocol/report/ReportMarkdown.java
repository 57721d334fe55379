package rubricem.protocol.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes a report as Markdown: the answer with its numbers, then what they stand for and how far
 * that was checked, what was not found and what was searched. Every text from outside is escaped.
 */
public final class ReportMarkdown {
  private ReportMarkdown() {}

  public static String render(ReportInput input) {
    return render(ReportModel.of(input));
  }

  public static String render(ReportModel model) {
    StringBuilder out = new StringBuilder();
    out.append("# ").append(MarkdownText.escape(model.title())).append("\n\n");
    if (model.isTitleShorter()) {
      out.append("> **").append(model.say(Phrase.QUESTION)).append(":** ")
          .append(MarkdownText.escape(model.question())).append("\n\n");
    }
    notices(out, model);
    block(out, model.answer());
    references(out, model);
    list(out, model.say(Phrase.NOT_FOUND), model.notFound());
    searched(out, model);
    foot(out, model);
    return out.toString().strip() + "\n";
  }

  /** The answer and its references, for places that show nothing else. */
  public static String answer(ReportModel model) {
    StringBuilder out = new StringBuilder();
    if (model.isWithoutEvidence() && model.answer().isBlank()) {
      out.append(model.say(Phrase.NO_EVIDENCE)).append("\n\n");
    }
    block(out, model.answer());
    references(out, model);
    return out.toString().strip() + "\n";
  }

  private static void block(StringBuilder out, String text) {
    if (!text.isBlank()) {
      out.append(text.strip()).append("\n\n");
    }
  }

  private static void notices(StringBuilder out, ReportModel model) {
    if (model.isWithoutEvidence()) {
      out.append("> **").append(model.say(Phrase.NO_EVIDENCE)).append("**\n\n");
    }
    if (!model.limitsReached().isEmpty()) {
      String limits = model.limitsReached().stream()
          .map(MarkdownText::escape).collect(Collectors.joining(", "));
      out.append("> ").append(model.say(Phrase.LIMIT_REACHED, limits)).append("\n\n");
    }
  }

  private static void references(StringBuilder out, ReportModel model) {
    if (!model.references().isEmpty()) {
      heading(out, model.say(Phrase.REFERENCES));
      model.references().forEach(reference -> reference(out, model, reference));
      out.append('\n');
    }
    CitationCheck check = model.citationCheck();
    if (check.cited() > 0) {
      out.append(model.say(
          Phrase.CITATIONS_CHECKED, check.checked(), check.cited(), check.supported()))
          .append(".\n\n");
    } else if (!model.isWithoutEvidence()) {
      out.append(model.say(Phrase.NOTHING_CITED)).append("\n\n");
    }
    if (check.removed() > 0) {
      out.append(model.say(Phrase.REMOVED, check.removed())).append(".\n\n");
    }
  }

  private static void reference(StringBuilder out, ReportModel model, Reference reference) {
    String title = reference.url().isEmpty()
        ? MarkdownText.escape(reference.title())
        : MarkdownText.link(reference.title(), reference.url());
    out.append(reference.number()).append(". ").append(title);
    String place = place(reference);
    out.append(place.isEmpty() ? "" : " — " + MarkdownText.escape(place)).append('\n');
    String indent = " ".repeat(String.valueOf(reference.number()).length() + 2);
    for (Reference.Use use : uses(reference)) {
      out.append(indent).append("- ").append(sign(use.state())).append(' ')
          .append(model.say(Phrase.of(use.state())));
      if (!use.quote().isBlank()) {
        out.append(": ")
            .append(Quotation.of(model.language(), MarkdownText.escape(use.quote())));
      }
      out.append('\n');
    }
  }

  /** The uses to show: the same quote in the same state once. */
  public static List<Reference.Use> uses(Reference reference) {
    return reference.uses().stream()
        .map(u -> new Reference.Use("", u.quote(), u.state())).distinct().toList();
  }

  /** Document and position, without what the title and the address already say. */
  public static String place(Reference reference) {
    boolean said = reference.document().equals(reference.title())
        || reference.document().equals(reference.url());
    String document = said ? "" : reference.document();
    boolean both = !document.isEmpty() && !reference.position().isEmpty();
    return document + (both ? ", " : "") + reference.position();
  }

  /** A sign for the state, always beside its word. */
  public static String sign(SupportState state) {
    return switch (state) {
      case SUPPORTED -> "✓";
      case WEAK -> "≈";
      case UNCHECKED -> "?";
    };
  }

  private static void searched(StringBuilder out, ReportModel model) {
    boolean corpus = model.searched().documentsTotal() > 0;
    if (!corpus && model.queries().isEmpty()) {
      return;
    }
    heading(out, model.say(Phrase.SEARCHED));
    if (corpus) {
      out.append(documents(model)).append("\n\n");
      items(out, model.unreadable());
    }
    for (ReportInput.Query query : model.queries()) {
      out.append("- ").append(MarkdownText.escape(query.tool())).append(": ")
          .append(MarkdownText.escape(query.text())).append(" (")
          .append(model.say(Phrase.PASSAGES, query.found())).append(")\n");
    }
    out.append('\n');
  }

  /** For example: 12 of 14 documents; 2 unreadable. */
  public static String documents(ReportModel model) {
    int total = model.searched().documentsTotal();
    int unread = total - model.searched().documents();
    String line = model.say(Phrase.DOCUMENTS, model.searched().documents(), total);
    return unread > 0 ? line + "; " + model.say(Phrase.UNREADABLE, unread) : line;
  }

  private static void heading(StringBuilder out, String text) {
    out.append("## ").append(text).append("\n\n");
  }

  private static void list(StringBuilder out, String heading, List<String> items) {
    if (!items.isEmpty()) {
      heading(out, heading);
      items(out, items);
    }
  }

  private static void items(StringBuilder out, List<String> items) {
    items.forEach(item -> out.append("- ").append(MarkdownText.escape(item)).append('\n'));
    out.append(items.isEmpty() ? "" : "\n");
  }

  private static void foot(StringBuilder out, ReportModel model) {
    out.append("---\n\n").append(MarkdownText.escape(String.join(" · ", footLines(model))))
        .append('\n');
  }

  /** Who wrote it, when, and what it cost: the parts that are known. */
  public static List<String> footLines(ReportModel model) {
    List<String> parts = new ArrayList<>();
    if (!model.policy().isBlank()) {
      String version = model.policyVersion();
      parts.add(model.policy() + (version.isBlank() ? "" : " (" + version + ")"));
    }
    model.endedAt().ifPresent(end -> parts.add(ReportTimes.minute(end)));
    if (model.startedAt().isPresent() && model.endedAt().isPresent()) {
      parts.add(ReportTimes.length(model.startedAt().get(), model.endedAt().get()));
    }
    ReportUsage usage = model.usage();
    if (usage.modelCalls() > 0) {
      long tokens = usage.promptTokens() + usage.completionTokens();
      parts.add(model.say(Phrase.USAGE, usage.modelCalls(), usage.toolCalls(), tokens));
    }
    if (usage.costUsd() > 0) {
      parts.add(String.format(Locale.ROOT, "US$ %.4f", usage.costUsd()));
    }
    parts.add(model.episode());
    return parts;
  }
}
