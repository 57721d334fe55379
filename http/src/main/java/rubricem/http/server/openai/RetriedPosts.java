package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import rubricem.http.server.Edge;
import rubricem.http.server.EpisodeStarting;
import rubricem.http.server.EpisodeStarting.Repeatable;
import rubricem.http.server.EpisodeStarting.Started;
import rubricem.http.server.Exchange;
import rubricem.http.server.Problem;
import rubricem.http.server.research.ResearchBody;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.RequestKeys.Claim;

/**
 * Finds the episode of a request that is sent again. OpenAI's libraries repeat a request after an
 * error or a time-out without saying which, so an equal body of the same client is taken for the
 * repetition: where the library counts its tries, from the second on; where nobody counts, within a
 * window of time. Which episode was begun is on disk before it begins.
 */
final class RetriedPosts {
  static final String KEY = "Idempotency-Key";
  static final String TRY = "X-Stainless-Retry-Count";

  private static final int KEY_MAX = 255;

  /** What a key says about the request that wrote it: the first sending, or a repetition of it. */
  private static final String FIRST = "first";

  private static final String REPEATED = "repeated";

  private final Edge edge;
  private final Duration window;

  RetriedPosts(Edge edge, Duration window) {
    this.edge = edge;
    this.window = window;
  }

  /** @param door keeps chat and responses apart */
  CompletionStage<Started> start(
      String door, FieldTable fields, Exchange exchange, JsonNode body, EpisodeRequest request) {
    String asked = ResearchBody.fixedForm(body);
    Optional<String> key = exchange.header(KEY).filter(text -> !text.isBlank());
    if (key.isPresent()) {
      if (key.get().length() > KEY_MAX) {
        throw Problem.of(
                Problem.Kind.INVALID_PARAMETER, KEY + " takes 1 to " + KEY_MAX + " characters.")
            .refusal();
      }
      String bare = ResearchBody.fixedForm(fields.withoutDefaults(body));
      return edge.starting()
          .start(request, Optional.of(Repeatable.of(door, key.get().strip(), asked, bare)));
    }
    String name = door + ":" + EpisodeStarting.sha256(client(exchange) + "\n" + asked) + ":";
    Optional<String> tries = exchange.header(TRY).map(String::strip);
    if (tries.filter("0"::equals).isPresent()) {
      return first(name, request);
    }
    return found(name)
        .thenCompose(
            found ->
                found.isPresent()
                    ? again(name, found.get(), request, tries.isPresent())
                    : claim(name, request));
  }

  private static String client(Exchange exchange) {
    StringBuilder client = new StringBuilder();
    for (String name : List.of("Authorization", "User-Agent")) {
      client.append(exchange.request().getHeader(name).map(HttpHeader::value).orElse(""))
          .append('\n');
    }
    return client.toString();
  }

  /** Two keys cover the last one to two windows. */
  private String at(String name, int back) {
    return name + (edge.ports().clock().millis() / window.toMillis() - back);
  }

  private CompletionStage<Optional<Claim>> found(String name) {
    return edge.ports().keys().find(at(name, 0))
        .thenCompose(
            now ->
                now.isPresent()
                    ? CompletableFuture.completedStage(now)
                    : edge.ports().keys().find(at(name, 1)));
  }

  /** A question asked anew is a new episode, unless its own repetition has overtaken it. */
  private CompletionStage<Started> first(String name, EpisodeRequest request) {
    return edge.ports().keys().find(at(name, 0))
        .thenCompose(
            now -> {
              boolean overtaken = now.filter(c -> c.digest().equals(REPEATED)).isPresent();
              EpisodeId id = overtaken ? now.get().id() : edge.ports().ids().get();
              return anew(name, id, request, !overtaken);
            });
  }

  private CompletionStage<Started> anew(
      String name, EpisodeId id, EpisodeRequest request, boolean fresh) {
    return edge.ports().keys().replace(at(name, 0), FIRST, id)
        .thenCompose(c -> edge.starting().startAs(id, request, fresh));
  }

  /** Who does not count his tries may mean a new one where the last one came to nothing. */
  private CompletionStage<Started> again(
      String name, Claim found, EpisodeRequest request, boolean counted) {
    return edge.ports().index().stored(found.id())
        .thenCompose(
            stored -> {
              boolean cameToNothing =
                  stored.filter(
                          v -> v.status() == EpisodeStatus.FAILED
                              || v.status() == EpisodeStatus.CANCELLED)
                      .isPresent();
              return cameToNothing && !counted
                  ? anew(name, edge.ports().ids().get(), request, true)
                  : edge.starting().startAs(found.id(), request, false);
            });
  }

  private CompletionStage<Started> claim(String name, EpisodeRequest request) {
    EpisodeId fresh = edge.ports().ids().get();
    return edge.ports().keys().claim(at(name, 0), REPEATED, fresh)
        .thenCompose(
            claim -> edge.starting().startAs(claim.id(), request, claim.id().equals(fresh)));
  }
}
