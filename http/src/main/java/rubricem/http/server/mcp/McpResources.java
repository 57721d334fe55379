package rubricem.http.server.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncResourceTemplateSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ListResourcesResult;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;
import rubricem.http.server.Edge;
import rubricem.http.server.Problem;
import rubricem.http.server.research.EpisodeLookup;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeIndex;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.report.MarkdownText;
import rubricem.protocol.report.ReportMarkdown;

/**
 * Reports, episodes and the passages behind citations as resources. The list has the finished
 * reports, newest first; everything else is found by its template.
 */
final class McpResources {
  static final String MARKDOWN = "text/markdown";

  private static final String SCHEME = "research://";
  private static final String JSON = "application/json";
  private static final Pattern ONE =
      Pattern.compile("research://([^/]+)(?:/(report|sources/([^/]+)))?");
  private static final int TITLE_MAX = 120;

  private final Edge edge;
  private final EpisodeLookup lookup;
  private final int listed;

  McpResources(Edge edge, int listed) {
    this.edge = edge;
    this.lookup = new EpisodeLookup(edge);
    this.listed = listed;
  }

  static String report(EpisodeId id) {
    return SCHEME + id + "/report";
  }

  List<AsyncResourceTemplateSpecification> templates() {
    return List.of(
        template(
            "research://{id}/report", "report", "The cited report of an episode.", MARKDOWN),
        template(
            "research://{id}/sources/{snippet_id}", "source",
            "A passage that an episode retrieved, as its citations name it.", "text/plain"),
        template("research://{id}", "episode", "An episode with all its fields.", JSON));
  }

  private AsyncResourceTemplateSpecification template(
      String uri, String name, String description, String type) {
    return new AsyncResourceTemplateSpecification(
        ResourceTemplate.builder(uri, name).description(description).mimeType(type).build(),
        (context, request) -> Mono.fromCompletionStage(() -> read(request.uri())));
  }

  static final Problem NO_SUCH_PAGE =
      Problem.of(
          Problem.Kind.INVALID_PARAMETER, "cursor takes what nextCursor of the page before said.");

  /** @param cursor the id behind which the page begins */
  CompletionStage<ListResourcesResult> list(Optional<String> cursor) {
    return edge.ports().index()
        .page(
            new EpisodeIndex.Query(
                cursor.map(McpResources::cursor), Optional.of(EpisodeStatus.COMPLETED), "", listed))
        .thenApply(
            page ->
                new ListResourcesResult(
                    page.entries().stream().map(McpResources::resource).toList(),
                    page.next().map(EpisodeId::value).orElse(null), null));
  }

  private static EpisodeId cursor(String text) {
    try {
      return EpisodeLookup.id(text);
    } catch (Problem.Refusal e) {
      throw NO_SUCH_PAGE.refusal();
    }
  }

  private static Resource resource(EpisodeIndex.Entry entry) {
    String line = MarkdownText.line(entry.question());
    String title =
        line.length() <= TITLE_MAX
            ? line
            : line.substring(0, line.offsetByCodePoints(0, TITLE_MAX / 2)) + " …";
    return Resource.builder(report(entry.id()), title)
        .description("Report of " + entry.createdAt() + ".").mimeType(MARKDOWN).build();
  }

  private CompletionStage<ReadResourceResult> read(String uri) {
    Matcher match = ONE.matcher(uri);
    if (!match.matches()) {
      throw McpError.RESOURCE_NOT_FOUND.apply(uri);
    }
    try {
      EpisodeId id = EpisodeLookup.id(match.group(1));
      CompletionStage<ReadResourceResult> contents =
          match.group(3) != null
              ? source(uri, id, match.group(3))
              : match.group(2) != null ? report(uri, id) : episode(uri, id);
      return contents.exceptionally(failure -> {
        throw refused(uri, failure);
      });
    } catch (Problem.Refusal e) {
      throw refused(uri, e);
    }
  }

  private static RuntimeException refused(String uri, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof Problem.Refusal
        ? McpError.RESOURCE_NOT_FOUND.apply(uri)
        : new CompletionException(cause);
  }

  private CompletionStage<ReadResourceResult> report(String uri, EpisodeId id) {
    return lookup.stored(id)
        .thenApply(
            view ->
                text(
                    uri, MARKDOWN,
                    view.report().map(ReportMarkdown::render)
                        .orElseThrow(() -> McpError.RESOURCE_NOT_FOUND.apply(uri))));
  }

  private CompletionStage<ReadResourceResult> source(String uri, EpisodeId id, String snippet) {
    return edge.ports().index().snippet(id, snippet)
        .thenApply(
            found -> {
              Snippet passage =
                  found.orElseThrow(() -> McpError.RESOURCE_NOT_FOUND.apply(uri));
              return text(uri, "text/plain", passage.passage().text());
            });
  }

  private CompletionStage<ReadResourceResult> episode(String uri, EpisodeId id) {
    return lookup.stored(id).thenApply((EpisodeView view) -> {
      try {
        return text(uri, JSON, edge.ports().json().writeValueAsString(view));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("an episode cannot be written as JSON", e);
      }
    });
  }

  private static ReadResourceResult text(String uri, String type, String text) {
    return ReadResourceResult.builder(
            List.of(TextResourceContents.builder(uri, text).mimeType(type).build()))
        .build();
  }
}
