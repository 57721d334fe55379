package rubricem.persistence.journal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a client and a server on this machine, as a network does, and can part them: the
 * client's end is gone and the server hears nothing of it.
 */
final class CutProxy implements AutoCloseable {
  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> clients = new CopyOnWriteArrayList<>();
  private final List<Socket> servers = new CopyOnWriteArrayList<>();
  private final int target;

  CutProxy(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        clients.add(client);
        servers.add(server);
        Thread.ofVirtual().start(() -> copy(client, server));
        Thread.ofVirtual().start(() -> copy(server, client));
      }
    } catch (IOException closed) {
      // the end of the test
    }
  }

  /** Ends with its source; the other direction, and the other end, stay as they are. */
  private static void copy(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
    } catch (IOException parted) {
      // nobody is told
    }
  }

  void cutClients() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    clients.clear();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    cutClients();
    for (Socket server : servers) {
      server.close();
    }
  }
}
