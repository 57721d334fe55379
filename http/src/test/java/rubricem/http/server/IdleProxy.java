package rubricem.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between a client and the server that, as proxies do, cuts a connection on which the server
 * has said nothing for a while. It counts the cuts.
 */
final class IdleProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int port;
  private final int idleMillis;
  private final AtomicInteger cuts = new AtomicInteger();

  IdleProxy(int port, Duration idle) throws IOException {
    this.port = port;
    this.idleMillis = (int) idle.toMillis();
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  int cuts() {
    return cuts.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Thread.startVirtualThread(() -> carry(client));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void carry(Socket client) {
    try (client;
        Socket server = new Socket()) {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      server.setSoTimeout(idleMillis);
      Thread.startVirtualThread(() -> asked(client, server));
      copy(server.getInputStream(), client.getOutputStream());
    } catch (SocketTimeoutException e) {
      cuts.incrementAndGet();
    } catch (IOException e) {
      // one of the two has gone
    }
  }

  private static void asked(Socket client, Socket server) {
    try {
      copy(client.getInputStream(), server.getOutputStream());
      server.shutdownOutput();
    } catch (IOException e) {
      // one of the two has gone
    }
  }

  private static void copy(InputStream in, OutputStream out) throws IOException {
    byte[] piece = new byte[8_192];
    for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
      out.write(piece, 0, read);
      out.flush();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
