package rubricem.http.server.openai;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** Stands between a client and the server and spoils the first requests as it is told to. */
final class FaultyProxy implements AutoCloseable {
  enum Fault {
    /** Answers 503 and passes nothing on. */
    REFUSED,
    /** Passes it on, and answers 503 whatever came of it. */
    ANSWER_LOST,
    /** Passes it on and keeps the answer. */
    SILENT
  }

  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;
  private final Queue<Fault> faults = new ArrayDeque<>();
  private final CountDownLatch end = new CountDownLatch(1);
  final List<String> tries = new CopyOnWriteArrayList<>();

  FaultyProxy(int port, Fault... faults) throws IOException {
    this.port = port;
    this.faults.addAll(List.of(faults));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Fault fault;
    synchronized (faults) {
      fault = faults.poll();
    }
    tries.add("" + exchange.getRequestHeaders().getFirst("X-Stainless-Retry-Count"));
    try {
      if (fault == Fault.REFUSED) {
        answer(exchange, 503, "text/plain", "try later".getBytes());
        return;
      }
      HttpResponse<byte[]> response = forward(exchange, body);
      if (fault == Fault.SILENT) {
        end.await();
      }
      if (fault == Fault.ANSWER_LOST) {
        answer(exchange, 503, "text/plain", "lost".getBytes());
      } else {
        answer(
            exchange, response.statusCode(),
            response.headers().firstValue("Content-Type").orElse("text/plain"), response.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // the client has gone, as it should
    } finally {
      exchange.close();
    }
  }

  private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + port + exchange.getRequestURI()))
            .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
    exchange.getRequestHeaders().forEach(
        (name, values) -> {
          if (!List.of("host", "connection", "content-length", "upgrade", "http2-settings")
              .contains(name.toLowerCase())) {
            values.forEach(value -> request.header(name, value));
          }
        });
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static void answer(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    end.countDown();
    server.stop(0);
    client.shutdownNow();
  }
}
