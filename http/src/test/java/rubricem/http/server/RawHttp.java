package rubricem.http.server;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A request as bytes, for what no client would send. */
public final class RawHttp {
  private static final int PATIENCE_MILLIS = 20_000;

  private RawHttp() {}

  /** Everything the server says until it closes. */
  public static String ask(int port, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
