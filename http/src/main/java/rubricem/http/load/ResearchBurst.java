package rubricem.http.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Questions submitted to a node over HTTP in a burst, while somebody asks how the newest of them is
 * doing. Any answer but the wanted one ends it: a figure of a run in which something went wrong is
 * none.
 */
public final class ResearchBurst {
  private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long STUCK_NANOS = TimeUnit.MINUTES.toNanos(3);
  private static final long ASK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = client();

  /** Somebody else, with a connection of his own: no question waits before his in its client. */
  private final HttpClient asker = client();

  private final URI base;
  private final int episodes;
  private final ConcurrentLinkedQueue<String> ids = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean ended = new AtomicBoolean();

  private static HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  /** @param episodes how many are submitted within a second */
  public ResearchBurst(URI base, int episodes) {
    this.base = base;
    this.episodes = episodes;
  }

  /**
   * Spread over one second, as many people would; waits until all are taken.
   *
   * @param name begins the idempotency keys: another burst has another
   * @param question what each asks, by its number
   */
  public void submit(String name, IntFunction<String> question) throws Exception {
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; i < episodes; i++) {
      long due = begin + BURST_NANOS * i / episodes;
      LockSupport.parkNanos(due - System.nanoTime());
      HttpRequest request =
          HttpRequest.newBuilder(base.resolve("/v1/research"))
              .header("Content-Type", "application/json")
              .header("Idempotency-Key", name + "-" + i)
              .POST(HttpRequest.BodyPublishers.ofString(body(question.apply(i))))
              .build();
      sent.add(
          client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
              .thenAccept(response -> ids.add(id(response))));
    }
    for (CompletableFuture<Void> one : sent) {
      one.get();
    }
  }

  private static String body(String question) {
    return JSON.createObjectNode().put("question", question).toString();
  }

  private static String id(HttpResponse<String> response) {
    try {
      JsonNode body = JSON.readTree(response.body());
      if (response.statusCode() != 202) {
        throw new IllegalStateException(response.statusCode() + " " + response.body());
      }
      return body.get("id").asText();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Asks for one submitted episode after the other until {@link #awaitEnds} has seen all end.
   *
   * @return how long each answer took in nanoseconds, sorted
   */
  public long[] ask() throws Exception {
    List<Long> nanos = new ArrayList<>();
    String last = "";
    while (!ended.get()) {
      String next = ids.poll();
      last = next == null ? last : next;
      if (!last.isEmpty()) {
        long begin = System.nanoTime();
        get("/v1/research/" + last);
        nanos.add(System.nanoTime() - begin);
      }
      LockSupport.parkNanos(ASK_EVERY_NANOS);
    }
    return nanos.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  /** Waits until the node has no active episode. */
  public void awaitEnds() throws Exception {
    long until = System.nanoTime() + STUCK_NANOS;
    while (!get("/metrics").contains("rubricem_episodes_active 0\n")) {
      if (System.nanoTime() > until) {
        throw new IllegalStateException("episodes do not end");
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    ended.set(true);
  }

  private String get(String path) throws Exception {
    HttpResponse<String> response =
        asker.send(
            HttpRequest.newBuilder(base.resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IllegalStateException(path + ": " + response.statusCode());
    }
    return response.body();
  }
}
