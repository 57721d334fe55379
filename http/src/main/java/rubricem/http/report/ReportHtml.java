package rubricem.http.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import rubricem.protocol.report.CitationCheck;
import rubricem.protocol.report.Phrase;
import rubricem.protocol.report.Quotation;
import rubricem.protocol.report.Reference;
import rubricem.protocol.report.ReportMarkdown;
import rubricem.protocol.report.ReportModel;

/**
 * Writes a report as one HTML page that needs nothing from any host: style inside, no script, no
 * image, no font. Numbers lead to their references and back. Every text from outside is escaped;
 * links lead only to what the episode's tools returned.
 */
public final class ReportHtml {
  private static final String PAGE_STYLE = resource("report/page.css");
  private static final String PRINT_STYLE = resource("report/pdf.css");

  /** A table of contents helps from here on; below it is in the way. */
  private static final int CONTENTS_FROM = 4;

  private final ReportModel model;
  private final boolean forPdf;
  private final StringBuilder out = new StringBuilder(8_192);

  private ReportHtml(ReportModel model, boolean forPdf) {
    this.model = model;
    this.forPdf = forPdf;
  }

  public static String render(ReportModel model) {
    return new ReportHtml(model, false).page();
  }

  /** The same page in the plainer HTML and CSS that the PDF writer knows; well-formed XML. */
  static String forPdf(ReportModel model) {
    return TextDirections.decided(new ReportHtml(model, true).page(), model.isRightToLeft());
  }

  private String page() {
    AnswerHtml answer = new AnswerHtml(model);
    String body = answer.render();
    head();
    out.append("<body>\n<main>\n<header>\n<h1 dir=\"auto\">").append(Html.escape(model.title()))
        .append("</h1>\n");
    if (model.isTitleShorter()) {
      out.append("<p class=\"question\" dir=\"auto\">").append(Html.escape(model.question()))
          .append("</p>\n");
    }
    summary();
    out.append("</header>\n");
    notices();
    contents(answer.headings());
    out.append("<article class=\"").append(model.format().label())
        .append("\" dir=\"auto\">\n").append(autoDirection(body)).append("</article>\n");
    references(answer);
    list(model.say(Phrase.NOT_FOUND), "not-found", model.notFound());
    searched();
    foot();
    out.append("</main>\n</body>\n</html>\n");
    return out.toString();
  }

  private void head() {
    String direction = model.isRightToLeft() ? "rtl" : "ltr";
    out.append("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"")
        .append(model.language()).append("\" dir=\"").append(direction).append("\">\n<head>\n")
        .append("<meta charset=\"utf-8\" />\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n")
        .append("<meta name=\"referrer\" content=\"no-referrer\" />\n")
        .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
        .append("style-src 'unsafe-inline'\" />\n<title>").append(Html.escape(model.title()))
        .append("</title>\n<style>\n").append(forPdf ? PRINT_STYLE : PAGE_STYLE)
        .append("</style>\n</head>\n");
  }

  /** Paragraphs, list items and cells find their own direction. */
  private String autoDirection(String html) {
    String marked = html;
    for (String tag : List.of("p", "ul", "ol", "td", "th", "h3", "h4", "blockquote")) {
      marked = marked.replace("<" + tag + ">", "<" + tag + " dir=\"auto\">");
    }
    return forPdf
        ? marked
        : marked.replace("<table>", "<div class=\"wide\"><table>")
            .replace("</table>", "</table></div>");
  }

  private void summary() {
    CitationCheck check = model.citationCheck();
    out.append("<p class=\"summary\">");
    if (check.cited() > 0) {
      String level = check.allSupported() ? "supported"
          : check.checked() == check.cited() ? "weak" : "unchecked";
      String line = model.say(
          Phrase.CITATIONS_CHECKED, check.checked(), check.cited(), check.supported());
      out.append("<span class=\"badge ").append(level).append("\">").append(Html.escape(line))
          .append("</span>");
    } else if (!model.isWithoutEvidence()) {
      out.append("<span class=\"badge unchecked\">")
          .append(Html.escape(model.say(Phrase.NOTHING_CITED))).append("</span>");
    }
    if (model.searched().documentsTotal() > 0) {
      out.append(" <span class=\"badge\">").append(Html.escape(ReportMarkdown.documents(model)))
          .append("</span>");
    }
    out.append("</p>\n");
  }

  private void notices() {
    if (model.isWithoutEvidence()) {
      notice("none", model.say(Phrase.NO_EVIDENCE));
    }
    if (!model.limitsReached().isEmpty()) {
      notice("limit", model.say(Phrase.LIMIT_REACHED, String.join(", ", model.limitsReached())));
    }
    if (model.citationCheck().removed() > 0) {
      notice("removed", model.say(Phrase.REMOVED, model.citationCheck().removed()) + ".");
    }
  }

  private void notice(String kind, String text) {
    out.append("<p class=\"notice ").append(kind).append("\" dir=\"auto\">")
        .append(Html.escape(text)).append("</p>\n");
  }

  private void contents(List<String> headings) {
    if (headings.size() < CONTENTS_FROM) {
      return;
    }
    out.append("<nav>\n<h2>").append(Html.escape(model.say(Phrase.CONTENTS)))
        .append("</h2>\n<ol>\n");
    for (int i = 0; i < headings.size(); i++) {
      out.append("<li><a href=\"#part-").append(i + 1).append("\">").append(headings.get(i))
          .append("</a></li>\n");
    }
    out.append("</ol>\n</nav>\n");
  }

  private void references(AnswerHtml answer) {
    if (model.references().isEmpty()) {
      return;
    }
    out.append("<section class=\"references\">\n<h2 id=\"references\">")
        .append(Html.escape(model.say(Phrase.REFERENCES))).append("</h2>\n");
    for (Reference reference : model.references()) {
      reference(reference, answer.used().getOrDefault(reference.number(), 0));
    }
    out.append("</section>\n");
  }

  private void reference(Reference reference, int used) {
    out.append("<div class=\"reference\" id=\"ref-").append(reference.number())
        .append("\">\n<p class=\"source\"><span class=\"number\">[").append(reference.number())
        .append("]</span> ");
    String title =
        "<span class=\"title\" dir=\"auto\">" + Html.escape(reference.title()) + "</span>";
    if (reference.url().isEmpty()) {
      out.append(title);
    } else {
      out.append("<a href=\"").append(Html.escape(reference.url()))
          .append("\" rel=\"noopener noreferrer nofollow\">").append(title).append("</a>");
    }
    for (int use = 1; use <= used; use++) {
      out.append(" <a class=\"back\" href=\"#use-").append(reference.number()).append('-')
          .append(use).append("\">↑").append(used > 1 ? use : "").append("</a>");
    }
    out.append("</p>\n");
    where(reference);
    for (Reference.Use use : ReportMarkdown.uses(reference)) {
      quote(use);
    }
    out.append("</div>\n");
  }

  private void where(Reference reference) {
    String place = ReportMarkdown.place(reference);
    String shown = place.isEmpty() ? reference.url() : place;
    if (!shown.isEmpty()) {
      out.append("<p class=\"place\"><bdi>").append(Html.escape(shown)).append("</bdi></p>\n");
    }
  }

  private void quote(Reference.Use use) {
    String state = use.state().label();
    out.append("<div class=\"use ").append(state).append("\">");
    if (!use.quote().isBlank()) {
      out.append("<blockquote><bdi>")
          .append(Quotation.of(model.language(), Html.escape(use.quote())))
          .append("</bdi></blockquote>");
    }
    out.append("<p class=\"state\">").append(ReportMarkdown.sign(use.state())).append(' ')
        .append(Html.escape(model.say(Phrase.of(use.state())))).append("</p></div>\n");
  }

  private void list(String heading, String kind, List<String> items) {
    if (!items.isEmpty()) {
      out.append("<section class=\"").append(kind).append("\">\n<h2>")
          .append(Html.escape(heading)).append("</h2>\n");
      items(items);
      out.append("</section>\n");
    }
  }

  private void items(List<String> items) {
    if (!items.isEmpty()) {
      out.append(items.stream()
          .map(item -> "<li><bdi>" + Html.escape(item) + "</bdi></li>\n")
          .collect(Collectors.joining("", "<ul>\n", "</ul>\n")));
    }
  }

  private void searched() {
    boolean corpus = model.searched().documentsTotal() > 0;
    if (!corpus && model.queries().isEmpty()) {
      return;
    }
    out.append("<section class=\"searched\">\n<h2>")
        .append(Html.escape(model.say(Phrase.SEARCHED))).append("</h2>\n");
    if (corpus) {
      out.append("<p>").append(Html.escape(ReportMarkdown.documents(model))).append("</p>\n");
      items(model.unreadable());
    }
    items(model.queries().stream()
        .map(q -> String.format(Locale.ROOT, "%s: %s (%s)", q.tool(), q.text(),
            model.say(Phrase.PASSAGES, q.found())))
        .toList());
    out.append("</section>\n");
  }

  private void foot() {
    out.append("<footer><p>")
        .append(ReportMarkdown.footLines(model).stream()
            .map(part -> "<bdi>" + Html.escape(part) + "</bdi>")
            .collect(Collectors.joining(" · ")))
        .append("</p></footer>\n");
  }

  private static String resource(String name) {
    try (InputStream in = ReportHtml.class.getClassLoader().getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(in, name + " is missing from the program").readAllBytes(),
          StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
