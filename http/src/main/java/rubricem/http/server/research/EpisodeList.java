package rubricem.http.server.research;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.Exchange;
import rubricem.http.server.Problem;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeIndex;
import rubricem.protocol.episode.EpisodeStatus;

/** {@code GET /v1/research}: episodes page by page, newest first. A cursor is opaque to askers. */
final class EpisodeList {
  /** One screen of a history. */
  private static final int LIMIT = 20;

  private static final int LIMIT_MAX = 200;
  private static final int TEXT_MAX = 200;

  /** Characters of a question that a list shows; the episode has all of it. */
  private static final int QUESTION_SHOWN = 500;

  private final Edge edge;

  EpisodeList(Edge edge) {
    this.edge = edge;
  }

  /** @param nextCursor null on the last page */
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record Page(List<Row> episodes, Optional<String> nextCursor) {}

  /**
   * What a list shows of an episode: the entry of the index with every field always there.
   *
   * @param questionCut whether the question goes on
   */
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record Row(
      EpisodeId id,
      EpisodeStatus status,
      Optional<rubricem.protocol.episode.EpisodeOutcome> outcome,
      String question,
      boolean questionCut,
      java.time.Instant createdAt,
      Optional<java.time.Instant> endedAt) {
    static Row of(EpisodeIndex.Entry e) {
      String whole = e.question();
      boolean cut = whole.codePointCount(0, whole.length()) > QUESTION_SHOWN;
      String shown = cut ? whole.substring(0, whole.offsetByCodePoints(0, QUESTION_SHOWN)) : whole;
      return new Row(e.id(), e.status(), e.outcome(), shown, cut, e.createdAt(), e.endedAt());
    }
  }

  CompletionStage<HttpResponse> answer(Exchange exchange) {
    EpisodeIndex.Query query =
        new EpisodeIndex.Query(
            exchange.query("cursor").map(EpisodeList::read),
            exchange.query("status").map(EpisodeList::status),
            text(exchange.query("q").orElse("")),
            exchange.query("limit").map(EpisodeList::limit).orElse(LIMIT));
    return edge.ports().index().page(query)
        .thenApply(
            page ->
                Answers.json(
                    200, edge.ports().json(),
                    new Page(
                        page.entries().stream().map(Row::of).toList(),
                        page.next().map(EpisodeList::write))));
  }

  private static int limit(String text) {
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && limit <= LIMIT_MAX) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw wrong("limit takes 1 to " + LIMIT_MAX + ".");
  }

  private static EpisodeStatus status(String text) {
    for (EpisodeStatus status : EpisodeStatus.values()) {
      if (status.label().equals(text)) {
        return status;
      }
    }
    throw wrong("status takes queued, running, completed, failed or cancelled.");
  }

  private static String text(String text) {
    if (text.length() > TEXT_MAX || text.chars().anyMatch(c -> c < ' ')) {
      throw wrong("q takes up to " + TEXT_MAX + " characters of text.");
    }
    return text;
  }

  static String write(EpisodeId id) {
    return Base64.getUrlEncoder().withoutPadding()
        .encodeToString(("1:" + id.value()).getBytes(StandardCharsets.US_ASCII));
  }

  static EpisodeId read(String cursor) {
    try {
      String text =
          new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
      if (text.startsWith("1:")) {
        return EpisodeLookup.id(text.substring(2));
      }
    } catch (IllegalArgumentException | Problem.Refusal e) {
      // said below
    }
    throw wrong("cursor takes what next_cursor of the page before said.");
  }

  private static Problem.Refusal wrong(String detail) {
    return Problem.of(Problem.Kind.INVALID_PARAMETER, detail).refusal();
  }
}
