package rubricem.http.server.mcp;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rubricem.http.server.Problem;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.report.Citation;
import rubricem.protocol.report.ReportMarkdown;

/** Results of tools: text for a model and fields for a program. A failure is an error result. */
final class ToolText {
  /** Citations named in one result; the report has them all. */
  private static final int CITATIONS_MAX = 100;

  private ToolText() {}

  /** Says when to call again where that is known: a model has no other clock. */
  static CallToolResult problem(Problem problem) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", problem.kind().label());
    String seconds = problem.headers().get("Retry-After");
    if (seconds == null) {
      return error(problem.said(), fields);
    }
    fields.put("retry_after_seconds", Integer.parseInt(seconds));
    return error(problem.said() + " Call it again in " + seconds + " s.", fields);
  }

  private static CallToolResult error(String text, Map<String, Object> fields) {
    return CallToolResult.builder().addTextContent(text)
        .structuredContent(Map.of("error", fields)).isError(true).build();
  }

  /** The same call again means the same episode, which may have ended since. */
  static CallToolResult started(EpisodeView view) {
    String said =
        view.status().ended()
            ? " has ended: it is " + view.status().label()
                + ". Call get_research with this id once for what it came to."
            : " is " + view.status().label() + ". Call get_research with this id until it has"
                + " ended; that takes from seconds to minutes.";
    return CallToolResult.builder().addTextContent("Episode " + view.id() + said)
        .structuredContent(fields(view)).isError(false).build();
  }

  static CallToolResult cancelled(EpisodeView view) {
    return CallToolResult.builder()
        .addTextContent("Episode " + view.id() + " is " + view.status().label() + ".")
        .structuredContent(fields(view)).isError(false).build();
  }

  static CallToolResult running(EpisodeView view) {
    return CallToolResult.builder()
        .addTextContent(
            "Episode " + view.id() + " is " + view.status().label() + ", stage "
                + view.stage().label() + ": " + view.usage().toolCalls() + " searches, "
                + view.sources().size() + " passages so far. Call get_research again.")
        .structuredContent(fields(view)).isError(false).build();
  }

  /** @param offset where the page begins */
  static CallToolResult ended(EpisodeView view, int offset, int charsMax) {
    if (view.report().isEmpty()) {
      return CallToolResult.builder()
          .addTextContent(
              "Episode " + view.id() + " " + switch (view.status()) {
                case FAILED -> "failed: "
                    + view.error().map(EpisodeView.Failure::message).orElse("its events say why")
                    + " start_research with the same arguments begins anew.";
                case CANCELLED, QUEUED, RUNNING, COMPLETED -> "was cancelled; it has no report.";
              })
          .structuredContent(fields(view)).isError(true).build();
    }
    String report = ReportMarkdown.render(view.report().get());
    int from = Math.min(offset, report.length());
    int to = Math.min(report.length(), from + charsMax);
    if (to < report.length() && Character.isLowSurrogate(report.charAt(to))) {
      to--;
    }
    Map<String, Object> fields = fields(view);
    fields.put("report", report.substring(from, to));
    fields.put("citations", citations(view.citations()));
    if (to < report.length()) {
      fields.put("next_offset", to);
    }
    CallToolResult.Builder result =
        CallToolResult.builder().addTextContent(report.substring(from, to));
    if (to < report.length()) {
      result.addTextContent(
          "The report goes on: call get_research with offset " + to + " of " + report.length()
              + ".");
    }
    return result.addContent(link(view)).structuredContent(fields).isError(false).build();
  }

  private static ResourceLink link(EpisodeView view) {
    return ResourceLink.builder().uri(McpResources.report(view.id()))
        .name("report " + view.id()).mimeType(McpResources.MARKDOWN)
        .description("The report as a resource.").build();
  }

  private static Map<String, Object> fields(EpisodeView view) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", view.id().value());
    fields.put("status", view.status().label());
    view.outcome().ifPresent(outcome -> fields.put("outcome", outcome.label()));
    fields.put("stage", view.stage().label());
    fields.put("searches", view.usage().toolCalls());
    fields.put("passages", view.sources().size());
    view.error().ifPresent(
        e -> fields.put("error", Map.of("kind", e.kind(), "message", e.message())));
    return fields;
  }

  private static List<Map<String, Object>> citations(List<Citation> citations) {
    return citations.stream().limit(CITATIONS_MAX).map(
        c -> {
          Map<String, Object> fields = new LinkedHashMap<>();
          fields.put("number", c.number());
          fields.put("snippet_id", c.snippetId());
          fields.put("title", c.title());
          fields.put("url", c.url());
          fields.put("state", c.state().toString().toLowerCase(java.util.Locale.ROOT));
          return fields;
        }).toList();
  }

  static CallToolResult hits(Corpus.Hits hits) {
    StringBuilder text = new StringBuilder();
    for (Passage p : hits.passages()) {
      text.append("## ").append(p.title())
          .append(p.position().isEmpty() ? "" : ", " + p.position())
          .append(" (").append(p.document()).append(")\n\n").append(p.text()).append("\n\n");
    }
    if (hits.passages().isEmpty()) {
      text.append("Nothing was found in ").append(hits.searched().documents())
          .append(" documents.\n");
    }
    hits.notes().forEach(note -> text.append(note).append('\n'));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("passages", hits.passages().stream().map(ToolText::passage).toList());
    fields.put("documents", hits.searched().documents());
    fields.put("documents_total", hits.searched().documentsTotal());
    fields.put("notes", hits.notes());
    return CallToolResult.builder().addTextContent(text.toString().strip())
        .structuredContent(fields).isError(false).build();
  }

  private static Map<String, Object> passage(Passage p) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("document", p.document());
    fields.put("title", p.title());
    fields.put("url", p.url());
    fields.put("position", p.position());
    fields.put("from", p.from());
    fields.put("to", p.to());
    fields.put("text", p.text());
    return fields;
  }
}
