package rubricem.http.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads an event stream over a plain socket, so that a test sees the very bytes, reads as slowly as
 * it likes and hangs up how it likes. Chunk lines are taken out.
 */
public final class SseReader implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  /** @param id empty for events without one; @param comment for comment blocks only */
  public record Block(String id, String event, String data, String comment) {}

  private final Socket socket;
  private final BufferedReader in;
  public final int status;
  public final List<String> headers = new ArrayList<>();

  public SseReader(int port, String path, String... headers) throws IOException {
    this("GET", port, path, "", headers);
  }

  /** One that is asked for with a body of JSON. */
  public static SseReader posting(int port, String path, String body) throws IOException {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return new SseReader(
        "POST", port, path, body, "Content-Type: application/json", "Content-Length: " + length);
  }

  private SseReader(String method, int port, String path, String body, String... headers)
      throws IOException {
    socket = new Socket();
    socket.setReceiveBufferSize(8_192);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new java.net.InetSocketAddress("127.0.0.1", port));
    StringBuilder request =
        new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    socket.getOutputStream().write(
        request.append("\r\n").append(body).toString().getBytes(StandardCharsets.UTF_8));
    in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 512);
    status = Integer.parseInt(in.readLine().split(" ")[1]);
    for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
      this.headers.add(line);
    }
  }

  private final StringBuilder pending = new StringBuilder();

  /** The next block; null at the clean end of the stream. */
  public Block next() throws IOException {
    while (pending.indexOf("\n\n") < 0) {
      if (!chunk()) {
        if (!pending.isEmpty()) {
          throw new IOException("half a block at the end: " + pending);
        }
        return null;
      }
    }
    int end = pending.indexOf("\n\n");
    String text = pending.substring(0, end);
    pending.delete(0, end + 2);
    return block(text);
  }

  private boolean chunk() throws IOException {
    String size = in.readLine();
    if (size == null) {
      throw new IOException("the connection was cut");
    }
    // sizes count bytes: four for a pair of surrogates
    int bytes = Integer.parseInt(size, 16);
    if (bytes == 0) {
      return false;
    }
    for (int read = 0; read < bytes; ) {
      int c = in.read();
      if (c < 0) {
        throw new IOException("the connection was cut");
      }
      pending.append((char) c);
      read += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate((char) c) ? 2 : 3;
    }
    in.readLine();
    return true;
  }

  private static Block block(String text) {
    String id = "";
    String event = "";
    String data = "";
    String comment = "";
    for (String line : text.split("\n")) {
      if (line.startsWith(":")) {
        comment += line.substring(1).strip();
      } else if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("event: ")) {
        event = line.substring(7);
      } else if (line.startsWith("data: ")) {
        data += line.substring(6);
      }
    }
    return new Block(id, event, data, comment);
  }

  /** The numbers of all events up to the end. */
  public List<Long> numbers() throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (Block block = next(); block != null; block = next()) {
      if (!block.id().isEmpty()) {
        numbers.add(Long.parseLong(block.id()));
      }
    }
    return numbers;
  }

  /** Says nothing more and reads nothing more, as a browser that closes a tab politely. */
  public void hangUp() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
