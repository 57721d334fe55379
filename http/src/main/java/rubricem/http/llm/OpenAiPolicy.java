package rubricem.http.llm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rubricem.protocol.CallId;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;

/**
 * A policy at any server that speaks OpenAI's Chat Completions. Every failure is a typed outcome
 * and none is repeated here; the one exception is no repeat but a translation: a server that
 * refuses
 * {@code stream_options} or {@code max_tokens} gets the same request once more in the form it
 * knows, and the form is remembered. What it remembers is about the server, never about an episode.
 * A server that refuses connections is left alone for a while and calls fail at once.
 */
public final class OpenAiPolicy implements PolicyModel, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenAiPolicy.class);

  /** Nothing was ever connected to; the episode may give up sooner. */
  static final String UNREACHABLE = "unreachable";

  private record Running(CallId callId, HttpCall call) {}

  private final OpenAiAddress address;
  private final Secret key;
  private final OpenAiSettings settings;
  private final List<FunctionTool> tools;
  private final Clock clock;
  private final OpenAiErrors errors;
  private final ExecutorService threads;
  private final HttpClient client;
  private final Semaphore places;
  private final Set<Running> running = ConcurrentHashMap.newKeySet();
  private final AtomicReference<CircuitBreaker> breaker;
  private final AtomicReference<OpenAiRequestBody.Adaptation> adaptation =
      new AtomicReference<>(OpenAiRequestBody.Adaptation.NONE);
  private final AtomicReference<Optional<String>> reasoningField =
      new AtomicReference<>(Optional.empty());

  /** @param tools what the {@code tools} dialect declares; the {@code text} dialect needs none */
  public OpenAiPolicy(
      OpenAiAddress address,
      Secret key,
      OpenAiSettings settings,
      List<FunctionTool> tools,
      Clock clock) {
    this.address = address;
    this.key = key;
    this.settings = settings;
    this.tools = List.copyOf(tools);
    this.clock = clock;
    this.errors = new OpenAiErrors(key);
    this.threads =
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("openai-policy-", 0).factory());
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.timeouts().connect())
            .executor(threads)
            .build();
    this.places = new Semaphore(settings.bounds().inFlight());
    this.breaker = new AtomicReference<>(CircuitBreaker.closed(settings.breaking()));
  }

  @Override
  public String spec() {
    return address.toString();
  }

  @Override
  public CompletionStage<PolicyOutcome> generate(PolicyRequest request, GenerationWatcher watcher) {
    if (!places.tryAcquire()) {
      return failed(
          unavailable(
              settings.bounds().inFlight() + " generations are running at the model server",
              Duration.ofSeconds(1)));
    }
    CircuitBreaker.Admission admission = admit();
    if (!admission.admitted()) {
      places.release();
      return failed(
          new CallFailure.Transient(
              UNREACHABLE,
              "the model server at " + OpenAiAddress.server(address.base())
                  + " could not be reached the last times",
              Optional.of(admission.pause())));
    }
    HttpCall call = new HttpCall(client, errors, request.timeout());
    Running entry = new Running(request.callId(), call);
    running.add(entry);
    try {
      return CompletableFuture.supplyAsync(() -> run(request, watcher, call), threads)
          .whenComplete((outcome, error) -> leave(entry));
    } catch (RejectedExecutionException e) {
      leave(entry);
      return failed(new CallFailure.Terminal("cancelled", "the model client has been closed"));
    }
  }

  private void leave(Running entry) {
    running.remove(entry);
    places.release();
  }

  @Override
  public void cancel(CallId callId) {
    running.stream().filter(r -> r.callId().equals(callId)).forEach(r -> r.call().cancel());
  }

  /** Cancels what runs and closes every connection. */
  @Override
  public void close() {
    running.forEach(r -> r.call().cancel());
    client.shutdownNow();
    threads.shutdown();
  }

  /** Whether the server can be used, in a sentence for the person who configured it. */
  public CompletionStage<Diagnosis> doctor() {
    return CompletableFuture.supplyAsync(
        () -> new OpenAiDoctor(this, address, client, errors, settings).examine(), threads);
  }

  private static CompletionStage<PolicyOutcome> failed(CallFailure failure) {
    return CompletableFuture.completedFuture(new PolicyOutcome.Failed(failure));
  }

  private static CallFailure unavailable(String message, Duration wait) {
    return new CallFailure.Transient("unavailable", message, Optional.of(wait));
  }

  private CircuitBreaker.Admission admit() {
    while (true) {
      CircuitBreaker before = breaker.get();
      CircuitBreaker.Admission admission = before.admit(clock.instant());
      if (breaker.compareAndSet(before, admission.next())) {
        return admission;
      }
    }
  }

  private PolicyOutcome run(PolicyRequest request, GenerationWatcher watcher, HttpCall call) {
    PolicyOutcome outcome;
    try {
      outcome = converse(request, watcher, call);
    } catch (HttpCall.Stopped e) {
      outcome = new PolicyOutcome.Failed(e.failure());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      outcome = new PolicyOutcome.Failed(HttpCall.cancelledFailure());
    } catch (RuntimeException e) {
      String said = errors.quote(String.valueOf(e.getMessage()));
      String what = e.getClass().getSimpleName() + ": " + said;
      LOG.error("call {} of {} failed in the client: {}", request.callId(), spec(), what);
      outcome =
          new PolicyOutcome.Failed(
              new CallFailure.Terminal("protocol", "the model client failed: " + what));
    }
    observe(outcome);
    return outcome;
  }

  private PolicyOutcome converse(PolicyRequest request, GenerationWatcher watcher, HttpCall call)
      throws HttpCall.Stopped, InterruptedException {
    OpenAiRequestBody.Adaptation form = adaptation.get();
    while (true) {
      ObjectNode body =
          OpenAiRequestBody.write(
              address.model(), request, settings, tools, form, replayField());
      ChatExchange exchange =
          new ChatExchange(call, settings, errors, watcher, promptChars(request));
      switch (exchange.send(httpRequest(request, body), clock.instant())) {
        case ChatExchange.Reply.Ended ended -> {
          ended.reasoningField().ifPresent(f -> reasoningField.set(Optional.of(f)));
          return ended.outcome();
        }
        case ChatExchange.Reply.Refused refused -> {
          Optional<OpenAiRequestBody.Adaptation> next =
              refused.status() == 400 || refused.status() == 422
                  ? form.after(refused.error())
                  : Optional.empty();
          if (next.isEmpty()) {
            return new PolicyOutcome.Failed(refused.failure());
          }
          form = next.get();
          adaptation.set(form);
          LOG.info("{} wants another form of request: {}", spec(), form);
        }
      }
    }
  }

  private Optional<String> replayField() {
    return settings.replayReasoning() ? reasoningField.get() : Optional.empty();
  }

  private HttpRequest httpRequest(PolicyRequest request, ObjectNode body) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(address.endpoint("/chat/completions"))
            .header("Content-Type", "application/json")
            .header("Accept", "text/event-stream, application/json")
            .header("Idempotency-Key", idempotencyKey(request))
            .POST(HttpRequest.BodyPublishers.ofString(JsonText.write(body)));
    if (key.isPresent()) {
      builder.header("Authorization", "Bearer " + key.value());
    }
    return builder.build();
  }

  /** The attempt is part of it: a service that remembers answers must not repeat a failure. */
  private static String idempotencyKey(PolicyRequest request) {
    return request.callId().value().replaceAll("[^\\w./:-]", "_") + "." + request.attempt();
  }

  private static int promptChars(PolicyRequest request) {
    return request.systemPrompt().length()
        + request.messages().stream().mapToInt(m -> m.text().length()).sum();
  }

  private void observe(PolicyOutcome outcome) {
    String kind = outcome instanceof PolicyOutcome.Failed f ? f.failure().kind() : "";
    switch (kind) {
      case "connect", UNREACHABLE -> breaker.updateAndGet(b -> b.onBroken(clock.instant()));
      case "timeout", "stalled", "cancelled" -> { }
      default -> breaker.updateAndGet(CircuitBreaker::onAnswer);
    }
  }

  /** For the doctor: the request headers every call carries. */
  HttpRequest get(String path) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(address.endpoint(path)).header("Accept", "application/json").GET();
    if (key.isPresent()) {
      builder.header("Authorization", "Bearer " + key.value());
    }
    return builder.build();
  }
}
