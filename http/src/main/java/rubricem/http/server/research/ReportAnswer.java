package rubricem.http.server.research;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpCharsets;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import rubricem.http.report.ReportHtml;
import rubricem.http.report.ReportPdf;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.Exchange;
import rubricem.http.server.Problem;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.report.ReportMarkdown;
import rubricem.protocol.report.ReportModel;

/**
 * {@code GET /v1/research/{id}/report}: the report in the form that {@code Accept} asks for, or
 * {@code ?format=} where a link cannot say what it accepts. An episode without a report answers
 * with a problem: what it would show instead is never report text.
 */
final class ReportAnswer {
  private static final String MARKDOWN = "text/markdown";
  private static final String HTML = "text/html";
  private static final String PDF = "application/pdf";
  private static final String JSON = "application/json";
  private static final Map<String, String> FORMATS =
      Map.of("markdown", MARKDOWN, "html", HTML, "pdf", PDF, "json", JSON);

  private final Edge edge;
  private final EpisodeLookup lookup;
  private final ReportPdf pdf = new ReportPdf();

  ReportAnswer(Edge edge, EpisodeLookup lookup) {
    this.edge = edge;
    this.lookup = lookup;
  }

  CompletionStage<HttpResponse> answer(Exchange exchange) {
    String type = type(exchange);
    return lookup.stored(EpisodeLookup.id(exchange.path("id")))
        .thenCompose(
            view -> {
              ReportModel report = view.report().orElseThrow(() -> without(view).refusal());
              return type.equals(PDF)
                  // it takes a second, and other requests shall not wait for it
                  ? CompletableFuture.supplyAsync(
                      () -> write(type, view, report), edge.ports().executor())
                  : CompletableFuture.completedStage(write(type, view, report));
            });
  }

  private static String type(Exchange exchange) {
    Optional<String> format = exchange.query("format");
    if (format.isEmpty()) {
      return exchange.accepted(MARKDOWN, HTML, PDF, JSON);
    }
    return Optional.ofNullable(FORMATS.get(format.get()))
        .orElseThrow(
            () ->
                Problem.of(
                        Problem.Kind.INVALID_PARAMETER,
                        "format takes markdown, html, pdf or json.")
                    .refusal());
  }

  private HttpResponse write(String type, EpisodeView view, ReportModel report) {
    HttpResponse response =
        switch (type) {
          case HTML -> html(ReportHtml.render(report));
          case PDF ->
              Answers.bytes(
                  200, MediaTypes.APPLICATION_PDF.toContentType(), pdf.render(report));
          case JSON -> Answers.json(200, edge.ports().json(), view);
          default ->
              Answers.bytes(
                  200,
                  MediaTypes.TEXT_MARKDOWN.toContentType(HttpCharsets.UTF_8),
                  ReportMarkdown.render(report).getBytes(StandardCharsets.UTF_8));
        };
    return Answers.with(response, Map.of("Vary", "Accept"));
  }

  private static HttpResponse html(String page) {
    return Answers.with(
        Answers.bytes(
            200, ContentTypes.TEXT_HTML_UTF8, page.getBytes(StandardCharsets.UTF_8)),
        Map.of(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'self'"));
  }

  private static Problem without(EpisodeView view) {
    return Problem.of(
        Problem.Kind.NO_REPORT,
        switch (view.status()) {
          case QUEUED, RUNNING, COMPLETED ->
              "The episode is " + view.status().label() + ". Ask again when it has ended; its"
                  + " events tell when.";
          case FAILED ->
              "The episode failed: " + view.error().map(e -> e.message()).orElse("unknown")
                  + ". Its events hold what it found.";
          case CANCELLED -> "The episode was cancelled. Its events hold what it found.";
        });
  }
}
