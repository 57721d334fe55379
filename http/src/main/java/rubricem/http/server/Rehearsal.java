package rubricem.http.server;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a new process asks itself before many others do. Whoever comes first to a JVM waits for the
 * code that answers to be compiled, and the next in the queue for him: measured on two cores, the
 * first answer in a burst of a thousand took 1.3 s, and 0.1 s after a rehearsal. It has a port of
 * its own for as long as it takes, so that nobody's figures count it, and asks for nothing that
 * would be stored.
 */
public final class Rehearsal {
  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

  private static final String LOOPBACK = "127.0.0.1";

  /** A request that is not answered by then ends it: it must not outlast a server in trouble. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final String LIST = "GET /v1/research?limit=1 HTTP/1.1\r\n";

  /** Refused for what is not in it, but read, and answered by the same code as a good one. */
  private static final String SUBMIT =
      "POST /v1/research HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n";

  private Rehearsal() {}

  /**
   * Plays it, and completes when its port is closed again; never fails, whatever goes wrong.
   *
   * @param edge one that counts for nobody
   * @param requests each with a connection of its own, one after the other; 0 for none
   */
  public static CompletionStage<Void> play(
      ActorSystem<?> system, Edge edge, List<FrontDoor> doors, int requests, Executor executor) {
    if (requests == 0) {
      return CompletableFuture.completedFuture(null);
    }
    return EdgeServer.start(system, edge, doors)
        .thenCompose(
            server ->
                CompletableFuture.runAsync(() -> ask(server.address(), requests), executor)
                    .handle((done, failure) -> failure)
                    .thenCompose(
                        failure -> {
                          if (failure != null) {
                            LOG.debug("the rehearsal ended early", failure);
                          }
                          return server.stop();
                        }))
        .exceptionally(
            failure -> {
              LOG.debug("the rehearsal could not be played", failure);
              return null;
            });
  }

  /** The settings of {@code edge} at an address that only this machine reaches. */
  public static EdgeSettings settings(EdgeSettings edge) {
    return edge.at(LOOPBACK, 0);
  }

  private static void ask(InetSocketAddress address, int requests) {
    try {
      for (int i = 0; i < requests; i++) {
        ask(address, i % 2 == 0 ? LIST : SUBMIT, i % 2 == 0 ? "" : "{}");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void ask(InetSocketAddress address, String head, String body)
      throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.connect(address, (int) PATIENCE.toMillis());
      String request =
          head + "Host: " + LOOPBACK + ":" + address.getPort() + "\r\nConnection: close\r\n\r\n"
              + body;
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }
  }
}
