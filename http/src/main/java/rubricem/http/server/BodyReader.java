package rubricem.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.MediaType;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.scaladsl.model.EntityStreamException;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;

/**
 * Reads bodies whole, within a size and a time, and JSON strictly: UTF-8 without faults, what
 * {@link StrictJson} takes, no text that cannot be stored (NUL, half a surrogate pair).
 */
public final class BodyReader {
  /** Bytes of a refused body that are let go by: a second or so on any line. */
  private static final long PASSED_BYTES_MAX = 16 << 20;

  /**
   * JSON as a server's parser has to know it: the library's own has a fixed charset, and forgets
   * that another one was named.
   */
  static final MediaType.WithOpenCharset JSON =
      MediaTypes.customWithOpenCharset("application", "json", Map.of(), false);

  /** ASCII is a part of UTF-8. */
  private static final Set<String> CHARSETS = Set.of("utf-8", "utf8", "us-ascii");

  private final Materializer materializer;
  private final long bytesMax;
  private final Duration patience;

  BodyReader(Materializer materializer, long bytesMax, Duration patience) {
    this.materializer = materializer;
    this.bytesMax = bytesMax;
    this.patience = patience;
  }

  /** What is wrong with a body that says itself that it is too large, whoever would read it. */
  Optional<Problem> tooLarge(HttpRequest request) {
    return request.entity().getContentLengthOption().orElse(0) > bytesMax
        ? Optional.of(tooLarge())
        : Optional.empty();
  }

  /**
   * Lets a body go by that is refused for its size: a client that is still sending does not listen,
   * and where the connection is cut meanwhile it never hears why. One of absurd size is cut.
   */
  CompletionStage<Void> letGoBy(HttpRequest request) {
    if (request.entity().getContentLengthOption().orElse(0) > PASSED_BYTES_MAX) {
      request.discardEntityBytes(materializer);
      return CompletableFuture.completedStage(null);
    }
    return request.entity().withSizeLimit(PASSED_BYTES_MAX).getDataBytes()
        .runWith(Sink.ignore(), materializer).toCompletableFuture()
        .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .handle((done, failure) -> null);
  }

  Once once(HttpRequest request) {
    return new Once(request);
  }

  /** The body of one request: read at most once, and never left lying in the connection. */
  final class Once {
    private final HttpRequest request;
    private boolean taken;

    private Once(HttpRequest request) {
      this.request = request;
    }

    synchronized CompletionStage<JsonNode> json() {
      return BodyReader.this.json(request, () -> taken = true);
    }

    /**
     * Completes when all of it has arrived, because many clients do not listen while they are
     * sending; with a problem where it has not.
     */
    synchronized CompletionStage<Optional<Problem>> discard() {
      if (taken || request.entity().isStrict()) {
        return CompletableFuture.completedStage(Optional.empty());
      }
      taken = true;
      return request.discardEntityBytes(materializer).completionStage().toCompletableFuture()
          .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
          .handle(
              (done, failure) ->
                  failure == null ? Optional.empty() : Optional.of(problem(failure)));
    }
  }

  private CompletionStage<JsonNode> json(HttpRequest request, Runnable taking) {
    MediaType type = request.entity().getContentType().mediaType();
    boolean isJson =
        type.mainType().equals("application")
            && (type.subType().equals("json") || type.subType().endsWith("+json"));
    if (!isJson) {
      throw Problem.of(
              Problem.Kind.UNSUPPORTED_MEDIA_TYPE,
              "Send JSON with the header Content-Type: application/json.")
          .refusal();
    }
    boolean foreign =
        request.entity().getContentType().getCharsetOption()
            .filter(c -> !CHARSETS.contains(c.value().toLowerCase(Locale.ROOT))).isPresent();
    if (foreign) {
      throw Problem.of(
              Problem.Kind.UNSUPPORTED_MEDIA_TYPE,
              "Send JSON in UTF-8, with the header Content-Type: application/json; other charsets"
                  + " are not read.")
          .refusal();
    }
    boolean encoded =
        request.getHeader("Content-Encoding")
            .filter(h -> !h.value().equalsIgnoreCase("identity")).isPresent();
    if (encoded) {
      throw Problem.of(
              Problem.Kind.UNSUPPORTED_MEDIA_TYPE, "Send the body without Content-Encoding.")
          .refusal();
    }
    taking.run();
    return bytes(request).thenApply(BodyReader::parse);
  }

  private CompletionStage<ByteString> bytes(HttpRequest request) {
    return request.entity().withSizeLimit(bytesMax)
        .toStrict(patience.toMillis(), bytesMax, materializer)
        .handle(
            (strict, failure) -> {
              if (failure == null) {
                return strict.getData();
              }
              throw problem(failure).refusal();
            });
  }

  private Problem problem(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    boolean tooLarge =
        cause instanceof EntityStreamSizeException
            || cause instanceof EntityStreamException e
                && e.info().summary().startsWith("Request too large");
    if (tooLarge) {
      return tooLarge();
    }
    if (cause instanceof TimeoutException) {
      return Problem.of(
          Problem.Kind.REQUEST_TIMEOUT,
          "The body did not arrive within " + patience.toSeconds() + " s. Send it again.");
    }
    return Problem.of(
        Problem.Kind.MALFORMED_REQUEST, "The body could not be read to its end. Send it again.");
  }

  private Problem tooLarge() {
    return Problem.of(
        Problem.Kind.BODY_TOO_LARGE,
        "A body may have " + bytesMax + " bytes. Put long material into the documents.");
  }

  private static JsonNode parse(ByteString bytes) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(bytes.toByteBuffer()).toString();
    } catch (CharacterCodingException e) {
      throw Problem.of(Problem.Kind.MALFORMED_JSON, "The body is not UTF-8.").refusal();
    }
    JsonNode node = StrictJson.read(text, "The body");
    if (!node.isContainerNode()) {
      throw Problem.of(Problem.Kind.MALFORMED_JSON, "The body must be a JSON object.").refusal();
    }
    StorableText.check(node, "");
    return node;
  }
}
