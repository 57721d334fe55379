package rubricem.http.llm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import rubricem.protocol.port.CallFailure;

/**
 * One call to a server on the reading thread's own time: opening, waiting for each piece of the
 * body, giving up. Every wait ends at the nearest of its limits, and {@link #cancel} from any
 * thread ends it at once and closes the connection.
 */
final class HttpCall {
  /** The call cannot go on. */
  static final class Stopped extends Exception {
    private final transient CallFailure failure;

    Stopped(CallFailure failure) {
      super(failure.message());
      this.failure = failure;
    }

    CallFailure failure() {
      return failure;
    }
  }

  /** A response whose body is still to be read. */
  record Answer(int status, HttpResponse<?> response, BodyQueue body) {
    Optional<String> header(String name) {
      return response.headers().firstValue(name);
    }

    String contentType() {
      return header("content-type").orElse("").toLowerCase(java.util.Locale.ROOT);
    }
  }

  private final HttpClient client;
  private final OpenAiErrors errors;
  private final long startNanos = System.nanoTime();
  private final Duration total;
  private final CompletableFuture<Object> cancelled = new CompletableFuture<>();

  HttpCall(HttpClient client, OpenAiErrors errors, Duration total) {
    this.client = client;
    this.errors = errors;
    this.total = total;
  }

  void cancel() {
    cancelled.complete("cancelled");
  }

  Duration total() {
    return total;
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  /** @param firstByte longest wait for the response to begin */
  Answer open(HttpRequest request, Duration firstByte) throws Stopped, InterruptedException {
    CompletableFuture<HttpResponse<Flow.Publisher<List<ByteBuffer>>>> sending =
        client.sendAsync(request, HttpResponse.BodyHandlers.ofPublisher());
    try {
      Duration wait = shorter(firstByte, total.minus(elapsed()));
      CompletableFuture.anyOf(sending, cancelled).get(wait.toNanos(), TimeUnit.NANOSECONDS);
      if (!sending.isDone()) {
        throw new Stopped(cancelledFailure());
      }
      HttpResponse<Flow.Publisher<List<ByteBuffer>>> response = sending.get();
      BodyQueue body = new BodyQueue();
      response.body().subscribe(body);
      cancelled.thenRun(body::cancel);
      return new Answer(response.statusCode(), response, body);
    } catch (TimeoutException e) {
      throw new Stopped(timeout());
    } catch (ExecutionException e) {
      throw new Stopped(notConnected(request.uri(), e.getCause()));
    } finally {
      if (!sending.isDone()) {
        sending.cancel(true);
      }
    }
  }

  /**
   * The next piece of the body.
   *
   * @param quiet how much longer the server may be silent
   * @return empty when it was silent for longer
   */
  Optional<BodyQueue.Piece> next(Answer answer, Duration quiet)
      throws Stopped, InterruptedException {
    Duration left = total.minus(elapsed());
    BodyQueue.Piece piece = answer.body().next(shorter(quiet, left));
    if (piece instanceof BodyQueue.Piece.Cancelled || cancelled.isDone()) {
      throw new Stopped(cancelledFailure());
    }
    if (piece == null && left.compareTo(quiet) <= 0) {
      throw new Stopped(timeout());
    }
    return Optional.ofNullable(piece);
  }

  /** @param whole false where the body is longer than the bound or broke off */
  record Text(String text, boolean whole, boolean broken) {}

  /** Reads a body that is no stream, up to {@code bytesMax}. */
  Text readText(Answer answer, int bytesMax, Duration quiet) throws Stopped, InterruptedException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try {
      while (true) {
        Optional<BodyQueue.Piece> piece = next(answer, quiet);
        if (piece.isEmpty()) {
          throw new Stopped(stalled(quiet));
        }
        if (!(piece.get() instanceof BodyQueue.Piece.Bytes bytes)) {
          boolean whole = piece.get() instanceof BodyQueue.Piece.End;
          return new Text(read.toString(StandardCharsets.UTF_8), whole, !whole);
        }
        for (ByteBuffer buffer : bytes.buffers()) {
          byte[] chunk = new byte[Math.min(buffer.remaining(), bytesMax - read.size())];
          buffer.get(chunk);
          read.writeBytes(chunk);
          if (buffer.hasRemaining()) {
            return new Text(read.toString(StandardCharsets.UTF_8), false, false);
          }
        }
      }
    } finally {
      answer.body().cancel();
    }
  }

  CallFailure stalled(Duration quiet) {
    return new CallFailure.Transient(
        "stalled", "the model server went silent for " + seconds(quiet) + " in mid-answer",
        Optional.empty());
  }

  CallFailure timeout() {
    return new CallFailure.Transient(
        "timeout", "the model server gave no answer within " + seconds(elapsed()),
        Optional.empty());
  }

  static CallFailure cancelledFailure() {
    return new CallFailure.Terminal("cancelled", "the generation was cancelled");
  }

  /** What was never there is told apart from what broke: it may be an address that is wrong. */
  private CallFailure notConnected(URI uri, Throwable cause) {
    return switch (cause) {
      case HttpConnectTimeoutException e -> unreachable(uri, "it accepts no connection in time");
      case ConnectException e when e.getCause() instanceof UnresolvedAddressException ->
          unreachable(uri, "no host of this name is known");
      case ConnectException e -> unreachable(uri, "nothing accepts connections there");
      case IOException e -> broken(uri, errors.quote(String.valueOf(e.getMessage())));
      default -> broken(uri, cause.getClass().getSimpleName());
    };
  }

  private static CallFailure unreachable(URI uri, String why) {
    return new CallFailure.Transient(
        OpenAiPolicy.UNREACHABLE,
        "the model server at " + OpenAiAddress.server(uri) + " cannot be reached: " + why,
        Optional.empty());
  }

  private static CallFailure broken(URI uri, String why) {
    return new CallFailure.Transient(
        "connect",
        "the connection to the model server at " + OpenAiAddress.server(uri) + " broke: " + why,
        Optional.empty());
  }

  private static String seconds(Duration time) {
    return String.format(java.util.Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
