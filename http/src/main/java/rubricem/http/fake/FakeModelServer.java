package rubricem.http.fake;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A model server that does what its script says, well or badly, and remembers every request. It
 * speaks Chat Completions on loopback at {@code /v1} and answers what it does not know with an
 * error in OpenAI's shape. Pauses and stalls end when it is closed.
 */
public final class FakeModelServer implements AutoCloseable {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** A larger request is a mistake of the client, not a prompt. */
  private static final int BODY_MAX = 16 << 20;

  /** A long-lived stand-in forgets its oldest requests. */
  private static final int REQUESTS_KEPT = 1_000;

  /** How often a stalled stream looks whether the stand-in has been closed; a bound for its end. */
  private static final Duration STALL_MAX = Duration.ofMinutes(10);

  static {
    // without it every answer waits 40 ms for the client's delayed acknowledgement
    if (System.getProperty("sun.net.httpserver.nodelay") == null) {
      System.setProperty("sun.net.httpserver.nodelay", "true");
    }
  }

  private final HttpServer server;
  private final FakeScript script;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Semaphore clientsGone = new Semaphore(0);
  private final AtomicInteger numbers = new AtomicInteger();
  private final CopyOnWriteArrayList<RecordedRequest> requests = new CopyOnWriteArrayList<>();

  private FakeModelServer(HttpServer server, FakeScript script) {
    this.server = server;
    this.script = script;
  }

  /** @param port 0 takes any free one */
  public static FakeModelServer start(int port, FakeScript script) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    FakeModelServer fake = new FakeModelServer(server, script);
    server.setExecutor(fake.threads);
    server.createContext("/", fake::serve);
    server.start();
    return fake;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** With {@code /v1}, as clients want it. */
  public URI baseUrl() {
    return URI.create("http://127.0.0.1:" + port() + "/v1");
  }

  /** Requests for completions, in the order they came. */
  public List<RecordedRequest> requests() {
    return List.copyOf(requests);
  }

  /**
   * Waits until one more client has left a stream in its middle; seen only when something is
   * written to it.
   */
  public boolean awaitClientGone(Duration patience) throws InterruptedException {
    return clientsGone.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    byte[] sent = exchange.getRequestBody().readNBytes(BODY_MAX + 1);
    if (method.equals("GET") && path.matches("(/v1)?/models")) {
      send(exchange, 200, Map.of(), models());
    } else if (method.equals("GET") && path.equals("/health")) {
      send(exchange, 200, Map.of(), "{}");
    } else if (!method.equals("POST") || !path.matches("(/v1)?/chat/completions")) {
      send(exchange, 404, Map.of(), error("there is nothing at " + method + " " + path));
    } else if (sent.length > BODY_MAX) {
      send(exchange, 413, Map.of(), error("the request is larger than " + BODY_MAX + " bytes"));
    } else {
      complete(exchange, path, parse(sent));
    }
  }

  private static JsonNode parse(byte[] sent) {
    try {
      return MAPPER.readTree(new String(sent, StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  private void complete(HttpExchange exchange, String path, JsonNode body) throws IOException {
    if (!body.path("messages").isArray() || !body.path("model").isTextual()) {
      send(exchange, 400, Map.of(), error("a request needs 'model' and 'messages'"));
      return;
    }
    Map<String, String> headers = new HashMap<>();
    exchange.getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
    RecordedRequest request =
        new RecordedRequest(
            numbers.incrementAndGet(), "POST", path, Map.copyOf(headers), body);
    requests.add(request);
    if (requests.size() > REQUESTS_KEPT) {
      requests.removeFirst();
    }
    perform(exchange, request, script.behaviour(request));
  }

  private void perform(HttpExchange exchange, RecordedRequest request, FakeBehaviour behaviour)
      throws IOException {
    switch (behaviour) {
      case FakeBehaviour.Answer(FakeAnswer answer) -> answer(exchange, request, answer);
      case FakeBehaviour.Page page -> {
        String key = request.header("authorization").orElse("").replaceFirst("^Bearer ", "");
        send(exchange, page.status(), page.headers(), page.body().replace("{{key}}", key));
      }
      case FakeBehaviour.Stream(List<FakeBehaviour.Step> steps) -> stream(exchange, steps);
      case FakeBehaviour.Drop() -> throw new IOException("dropped by the script");
      case FakeBehaviour.Delay(Duration by, FakeBehaviour then) -> {
        pause(by);
        perform(exchange, request, then);
      }
    }
  }

  private void answer(HttpExchange exchange, RecordedRequest request, FakeAnswer answer)
      throws IOException {
    if (!request.streams()) {
      send(exchange, 200, Map.of(), ChatWire.whole(request, answer).toString());
      return;
    }
    StringBuilder events = new StringBuilder();
    for (ObjectNode chunk : ChatWire.chunks(request, answer)) {
      events.append("data: ").append(chunk).append("\n\n");
    }
    stream(
        exchange,
            List.of(new FakeBehaviour.Step.Raw(events.append("data: [DONE]\n\n").toString())));
  }

  private void stream(HttpExchange exchange, List<FakeBehaviour.Step> steps) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    out.flush();
    for (FakeBehaviour.Step step : steps) {
      switch (step) {
        case FakeBehaviour.Step.Raw(String text) -> write(out, text);
        case FakeBehaviour.Step.Pause(Duration time) -> pause(time);
        case FakeBehaviour.Step.Stall() -> pause(STALL_MAX);
        case FakeBehaviour.Step.Cut() -> throw new IOException("cut by the script");
      }
    }
    out.close();
  }

  private void write(OutputStream out, String text) throws IOException {
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      clientsGone.release();
      throw e;
    }
  }

  private void pause(Duration time) throws IOException {
    try {
      if (closed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IOException("the stand-in was closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void send(
      HttpExchange exchange, int status, Map<String, String> headers, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    headers.forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private static String models() {
    ObjectNode root = MAPPER.createObjectNode().put("object", "list");
    root.putArray("data").addObject()
        .put("id", ChatWire.MODEL).put("object", "model").put("owned_by", "rubricem");
    return root.toString();
  }

  private static String error(String message) {
    ObjectNode root = MAPPER.createObjectNode();
    root.putObject("error").put("message", message).put("type", "invalid_request_error")
        .putNull("param").putNull("code");
    return root.toString();
  }
}
