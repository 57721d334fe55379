package rubricem.http.llm;

import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyOutcome;

/**
 * One request to a Chat Completions server and the reading of its answer, streamed or whole, by
 * what the server actually sent. It repeats nothing; a refusal is handed back so that the caller
 * can see whether it asks for another form of the same request.
 */
final class ChatExchange {
  /** How long a server that has said everything may keep us from its usage figures. */
  private static final Duration AFTERWORD = Duration.ofSeconds(2);

  /** How long a finished stream may take to end, so that its connection can be used again. */
  private static final Duration TAIL = Duration.ofMillis(100);

  sealed interface Reply {
    record Ended(PolicyOutcome outcome, Optional<String> reasoningField) implements Reply {}

    record Refused(int status, OpenAiErrors.ErrorBody error, CallFailure failure)
        implements Reply {}
  }

  private final HttpCall call;
  private final OpenAiSettings settings;
  private final OpenAiErrors errors;
  private final CompletionAssembler assembler;
  private final int promptChars;
  private long bytes;

  ChatExchange(
      HttpCall call,
      OpenAiSettings settings,
      OpenAiErrors errors,
      GenerationWatcher watcher,
      int promptChars) {
    this.call = call;
    this.settings = settings;
    this.errors = errors;
    this.assembler = new CompletionAssembler(settings, errors, watcher);
    this.promptChars = promptChars;
  }

  Reply send(HttpRequest request, Instant now) throws HttpCall.Stopped, InterruptedException {
    HttpCall.Answer answer = call.open(request, firstByte());
    if (answer.status() < 200 || answer.status() >= 300) {
      return refused(answer, now);
    }
    String type = answer.contentType();
    boolean stream =
        type.contains("event-stream")
            || settings.streaming() && !type.contains("json") && !type.contains("html");
    return new Reply.Ended(
        costed(() -> stream ? readStream(answer) : readWhole(answer)), assembler.reasoningField());
  }

  /** Reads on until the answer is there or cannot come; what it cost until then is not lost. */
  private interface Reading {
    PolicyOutcome read() throws HttpCall.Stopped, InterruptedException;
  }

  private PolicyOutcome costed(Reading reading) throws InterruptedException {
    try {
      return reading.read();
    } catch (HttpCall.Stopped e) {
      return assembler.failed(e.failure());
    }
  }

  private Reply refused(HttpCall.Answer answer, Instant now)
      throws HttpCall.Stopped, InterruptedException {
    HttpCall.Text text =
        call.readText(answer, settings.bounds().errorBytes(), settings.timeouts().idle());
    OpenAiErrors.ErrorBody error = OpenAiErrors.read(text.text());
    boolean pointless =
        answer.header("x-should-retry").filter("false"::equalsIgnoreCase).isPresent();
    Optional<Duration> wait =
        RetryAfter.read(answer::header, now, settings.bounds().retryAfter());
    return new Reply.Refused(
        answer.status(), error, errors.failure(answer.status(), error, wait, pointless));
  }

  private PolicyOutcome readWhole(HttpCall.Answer answer)
      throws HttpCall.Stopped, InterruptedException {
    HttpCall.Text text =
        call.readText(answer, settings.bounds().responseBytes(), firstByte());
    if (text.broken()) {
      return assembler.outcome(CompletionAssembler.Ending.CUT, promptChars);
    }
    if (!text.whole()) {
      throw new HttpCall.Stopped(tooLarge());
    }
    if (text.text().isBlank()) {
      throw new HttpCall.Stopped(
          protocol("the model server answered HTTP " + answer.status() + " without content"));
    }
    var body = JsonText.object(text.text());
    if (body.isEmpty()) {
      String what = errors.quote(OpenAiErrors.read(text.text()).message());
      throw new HttpCall.Stopped(
          new CallFailure.Terminal(
              "protocol",
              "the model server's answer is no completion; check that BASE_URL ends where"
                  + " /chat/completions begins (it sent " + what + ")"));
    }
    Optional<CallFailure> failure = assembler.accept(body.get());
    return failure.<PolicyOutcome>map(assembler::failed)
        .orElseGet(() -> assembler.outcome(CompletionAssembler.Ending.DONE, promptChars));
  }

  private PolicyOutcome readStream(HttpCall.Answer answer)
      throws HttpCall.Stopped, InterruptedException {
    SseDecoder decoder = new SseDecoder(settings.bounds().eventChars());
    Duration lastEvent = Duration.ZERO;
    boolean begun = false;
    try {
      while (true) {
        Duration limit = quietLimit(begun);
        Duration quiet = limit.minus(call.elapsed().minus(lastEvent));
        Optional<BodyQueue.Piece> piece = call.next(answer, quiet);
        if (piece.isEmpty()) {
          return onSilence(begun, limit);
        }
        if (!(piece.get() instanceof BodyQueue.Piece.Bytes some)) {
          return onLast(piece.get(), decoder);
        }
        List<String> events = decode(decoder, some.buffers());
        if (!events.isEmpty()) {
          begun = true;
          lastEvent = call.elapsed();
        }
        if (accept(events)) {
          call.next(answer, TAIL);
          return assembler.outcome(CompletionAssembler.Ending.DONE, promptChars);
        }
      }
    } catch (SseDecoder.TooLong e) {
      throw new HttpCall.Stopped(new CallFailure.Terminal("protocol", e.getMessage()));
    } finally {
      answer.body().cancel();
    }
  }

  private PolicyOutcome onLast(BodyQueue.Piece last, SseDecoder decoder)
      throws HttpCall.Stopped, SseDecoder.TooLong {
    boolean ended = last instanceof BodyQueue.Piece.End;
    boolean done = ended && accept(decoder.end());
    return assembler.outcome(
        done ? CompletionAssembler.Ending.DONE
            : ended ? CompletionAssembler.Ending.END_OF_BODY : CompletionAssembler.Ending.CUT,
        promptChars);
  }

  private Duration quietLimit(boolean begun) {
    Duration idle = settings.timeouts().idle();
    if (assembler.settled()) {
      return idle.compareTo(AFTERWORD) < 0 ? idle : AFTERWORD;
    }
    return begun ? idle : firstByte();
  }

  /** A whole answer begins only when it is finished. */
  private Duration firstByte() {
    return settings.streaming() ? settings.timeouts().firstByte() : call.total();
  }

  private PolicyOutcome onSilence(boolean begun, Duration limit) throws HttpCall.Stopped {
    if (assembler.settled()) {
      return assembler.outcome(CompletionAssembler.Ending.END_OF_BODY, promptChars);
    }
    throw new HttpCall.Stopped(begun ? call.stalled(limit) : call.timeout());
  }

  private List<String> decode(SseDecoder decoder, List<ByteBuffer> buffers)
      throws HttpCall.Stopped, SseDecoder.TooLong {
    List<String> events = new java.util.ArrayList<>();
    for (ByteBuffer buffer : buffers) {
      bytes += buffer.remaining();
      if (bytes > settings.bounds().responseBytes()) {
        throw new HttpCall.Stopped(tooLarge());
      }
      events.addAll(decoder.feed(buffer));
    }
    return events;
  }

  /** True when nothing that follows matters. */
  private boolean accept(List<String> events) throws HttpCall.Stopped {
    for (String event : events) {
      if (event.strip().equals("[DONE]")) {
        return true;
      }
      var chunk = JsonText.object(event);
      if (chunk.isEmpty()) {
        throw new HttpCall.Stopped(
            protocol("the model server sent an event that is no JSON object"));
      }
      Optional<CallFailure> failure = assembler.accept(chunk.get());
      if (failure.isPresent()) {
        throw new HttpCall.Stopped(failure.get());
      }
      if (assembler.overrun()) {
        return true;
      }
    }
    return false;
  }

  private CallFailure tooLarge() {
    return new CallFailure.Terminal(
        "protocol",
        "the model server's answer is longer than " + settings.bounds().responseBytes()
            + " bytes; it does not keep to the output limit");
  }

  private static CallFailure protocol(String message) {
    return new CallFailure.Transient("protocol", message, Optional.empty());
  }
}
