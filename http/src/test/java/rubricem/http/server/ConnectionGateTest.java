package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rubricem.protocol.EpisodeId;

/** Connections that ask for nothing, over plain sockets; the server's own closing is the clock. */
class ConnectionGateTest {
  private static final Duration SOON = Duration.ofMillis(300);
  private static final Duration LATER = Duration.ofMinutes(1);
  private static final int PATIENCE_MILLIS = 20_000;
  private static final String HALF = "GET /health/alive HTTP/1.1\r\nHost: localhost\r\n";

  private static EdgeRig rig(int max, Duration head, Duration keepAlive) throws Exception {
    return rig(new EdgeSettings.Connections(max, head, keepAlive, 1));
  }

  private static EdgeRig rig(EdgeSettings.Connections connections) throws Exception {
    return new EdgeRig(
        EdgeRig.settings(10, Duration.ofMillis(100), connections), EdgeRig::doors);
  }

  private static Socket open(EdgeRig rig, String bytes) throws IOException {
    Socket socket = new Socket("127.0.0.1", rig.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    send(socket, bytes);
    return socket;
  }

  private static void send(Socket socket, String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  private static String rest(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Reads one answer with a length, and leaves the connection as it is. */
  private static String answer(Socket socket) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    while (!read.toString(StandardCharsets.UTF_8).endsWith("}")) {
      int next = socket.getInputStream().read();
      assertTrue(next >= 0, "closed after: " + read);
      read.write(next);
    }
    return read.toString(StandardCharsets.UTF_8);
  }

  /** Longer than the patience of the rig: a connection opened now has been cut. */
  private static void patiencePasses(EdgeRig rig) throws IOException {
    try (Socket silent = open(rig, "")) {
      rest(silent);
    }
  }

  /** Sends a letter of a header whenever nothing comes for a while, until the server closes. */
  private static String drip(Socket socket) throws IOException {
    socket.setSoTimeout(20);
    send(socket, "X: ");
    for (int i = 0; i < 500; i++) {
      try {
        return rest(socket);
      } catch (SocketTimeoutException quiet) {
        send(socket, "a");
      }
    }
    throw new AssertionError("it is still open");
  }

  @Test
  void a_head_that_drips_in_is_not_waited_for() throws Exception {
    try (EdgeRig rig = rig(10, SOON, LATER);
        Socket socket = open(rig, HALF)) {
      String said = drip(socket);
      assertTrue(said.startsWith("HTTP/1.1 408 "), said);
      assertTrue(said.contains("Connection: close"), said);
      assertTrue(said.contains("request-timeout"), said);
      assertTrue(rig.get("/metrics").body().contains("cut_total{reason=\"slow_head\"} 1"));
    }
  }

  @Test
  void a_connection_that_says_nothing_is_closed() throws Exception {
    try (EdgeRig rig = rig(10, SOON, LATER);
        Socket socket = open(rig, "")) {
      assertTrue(rest(socket).startsWith("HTTP/1.1 408 "));
    }
  }

  @Test
  void a_connection_that_was_answered_may_be_silent_for_longer_but_not_for_ever()
      throws Exception {
    try (EdgeRig rig = rig(10, SOON, SOON.multipliedBy(6));
        Socket socket = open(rig, HALF + "\r\n")) {
      assertTrue(answer(socket).startsWith("HTTP/1.1 200 "));
      patiencePasses(rig);
      patiencePasses(rig);
      send(socket, HALF + "\r\n");
      assertTrue(answer(socket).startsWith("HTTP/1.1 200 "));
      assertEquals("", rest(socket), "closed without a word");
      assertTrue(rig.get("/metrics").body().contains("cut_total{reason=\"idle\"} 1"));
    }
  }

  @Test
  void a_second_head_that_drips_in_is_not_waited_for_either() throws Exception {
    try (EdgeRig rig = rig(10, LATER, SOON);
        Socket socket = open(rig, HALF + "\r\n")) {
      assertTrue(answer(socket).startsWith("HTTP/1.1 200 "));
      send(socket, HALF);
      try {
        assertEquals("", drip(socket));
      } catch (SocketException reset) {
        // a header was on its way when it was closed
      }
    }
  }

  @Test
  void requests_that_come_together_are_answered_one_after_the_other() throws Exception {
    try (EdgeRig rig = rig(10, SOON, SOON);
        Socket socket = open(rig, (HALF + "\r\n").repeat(3))) {
      assertEquals(3, rest(socket).split("HTTP/1.1 200 ", -1).length - 1);
    }
  }

  @Test
  void a_reader_of_events_outlives_every_patience_and_hears_of_the_stop() throws Exception {
    try (EdgeRig rig = rig(10, SOON, SOON)) {
      String id = rig.started("a");
      try (SseReader reader = new SseReader(rig.port(), "/v1/research/" + id + "/events")) {
        patiencePasses(rig);
        patiencePasses(rig);
        rig.world.turn(new EpisodeId(id), 1, "t");
        SseReader.Block block = reader.next();
        while (block.data().isEmpty() || !block.data().contains("\"t\"")) {
          block = reader.next();
        }
        CompletableFuture<Void> stopped = rig.server.stop().toCompletableFuture();
        List<SseReader.Block> last = new ArrayList<>();
        for (block = reader.next(); block != null; block = reader.next()) {
          last.add(block);
        }
        stopped.get(20, TimeUnit.SECONDS);
        assertTrue(last.toString().contains("the server stops"), last.toString());
      }
    }
  }

  @Test
  void a_request_that_waits_for_its_report_outlives_every_patience() throws Exception {
    String chat =
        "{\"model\":\"rubricem\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}";
    try (EdgeRig rig = rig(10, SOON, SOON)) {
      CompletableFuture<HttpResponse<String>> waits =
          rig.client.sendAsync(
              rig.posting("/v1/chat/completions", chat), HttpResponse.BodyHandlers.ofString());
      MemoryWorld.waitFor(() -> rig.world.count() == 1, "the episode");
      patiencePasses(rig);
      patiencePasses(rig);
      PlayedEpisode.play(rig.world, new EpisodeId(String.format("e%026d", 1)));
      assertEquals(200, waits.get(20, TimeUnit.SECONDS).statusCode());
    }
  }

  @Test
  void a_slow_body_has_its_own_patience() throws Exception {
    String body = "{\"question\":\"a\"}";
    try (EdgeRig rig = rig(10, SOON, SOON);
        Socket socket =
            open(
                rig,
                "POST /v1/research HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
                    + "\r\nContent-Length: " + body.length() + "\r\n\r\n{")) {
      patiencePasses(rig);
      patiencePasses(rig);
      send(socket, body.substring(1));
      assertTrue(answer(socket).startsWith("HTTP/1.1 202 "));
    }
  }

  @Test
  void whoever_asks_nothing_makes_room_for_whoever_asks() throws Exception {
    List<Socket> holding = new ArrayList<>();
    try (EdgeRig rig = rig(8, LATER, LATER)) {
      for (int i = 0; i < 200; i++) {
        holding.add(open(rig, HALF));
      }
      for (int i = 0; i < 3; i++) {
        assertTrue(
            RawHttp.ask(rig.port(), HALF + "Connection: close\r\n\r\n")
                .startsWith("HTTP/1.1 200 "));
      }
      assertEquals("", rest(holding.getFirst()), "the oldest goes first, without a word");
      assertTrue(
          RawHttp.ask(rig.port(), "GET /v1/research HTTP/1.1\r\nHost: localhost\r\n"
              + "Connection: close\r\n\r\n").startsWith("HTTP/1.1 200 "));
      Socket newest = holding.getLast();
      send(newest, "\r\n");
      assertTrue(answer(newest).startsWith("HTTP/1.1 200 "));
    } finally {
      for (Socket socket : holding) {
        socket.close();
      }
    }
  }

  @Test
  void where_every_connection_is_being_answered_health_is_answered_still() throws Exception {
    try (EdgeRig rig = rig(2, LATER, LATER)) {
      String id = rig.started("a");
      String events = "/v1/research/" + id + "/events";
      String list =
          "GET /v1/research HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      try (SseReader first = new SseReader(rig.port(), events);
          SseReader second = new SseReader(rig.port(), events)) {
        List<String> health =
            IntStream.range(0, 3).mapToObj(i -> ask(rig, HALF + "\r\n")).toList();
        health.forEach(said -> assertTrue(said.startsWith("HTTP/1.1 200 "), said));
        health.forEach(said -> assertTrue(said.contains("Connection: close"), said));
        String refused = ask(rig, list);
        assertTrue(refused.startsWith("HTTP/1.1 503 "), refused);
        assertTrue(refused.contains("Retry-After: "), refused);
        assertTrue(refused.contains("application/problem+json"), refused);
        for (String path : List.of("/v1/models", "/v1/responses/resp_1", "/v1/embeddings")) {
          String openai = ask(rig, list.replace("/v1/research", path));
          assertTrue(openai.startsWith("HTTP/1.1 503 "), openai);
          assertTrue(openai.contains("Retry-After: 1"), openai);
          assertTrue(openai.contains("{\"error\":{\"message\":\"The server is not ready."), openai);
          assertTrue(openai.contains("\"type\":\"server_error\""), openai);
        }
        assertTrue(
            ask(rig, list.replace("/v1/research", "/mcp")).contains("\"jsonrpc\":\"2.0\""));
        String metrics = ask(rig, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertTrue(metrics.contains("cut_total{reason=\"full\"} 5"), metrics);
        rig.world.complete(new EpisodeId(id));
        assertTrue(first.numbers().size() > 0);
        assertEquals(200, second.status);
      }
      MemoryWorld.waitFor(
          () -> ask(rig, list).startsWith("HTTP/1.1 200 "), "the readers to be gone");
    }
  }

  @Test
  void streams_take_no_more_than_their_share_and_all_else_is_answered() throws Exception {
    try (EdgeRig rig = rig(new EdgeSettings.Connections(4, LATER, LATER, 0.75))) {
      String id = rig.started("a");
      String events = "/v1/research/" + id + "/events";
      String stream = "GET " + events + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
      List<SseReader> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(new SseReader(rig.port(), events));
      }
      try (Socket another = open(rig, stream)) {
        String refused = answer(another);
        assertTrue(refused.startsWith("HTTP/1.1 503 "), refused);
        assertTrue(refused.contains("Retry-After: 5"), refused);
        assertTrue(refused.contains("All event streams are in use"), refused);
        String chat = "{\"model\":\"rubricem\",\"stream\":true,\"messages\":"
            + "[{\"role\":\"user\",\"content\":\"a\"}]}";
        send(another, "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: " + chat.length() + "\r\n\r\n"
            + chat);
        String inTheirWords = answer(another) + answer(another); // it ends with two brackets
        assertTrue(inTheirWords.startsWith("HTTP/1.1 503 "), inTheirWords);
        assertTrue(inTheirWords.contains("{\"error\":{"), inTheirWords);
        assertTrue(inTheirWords.contains("Retry-After: 5"), inTheirWords);
        assertTrue(inTheirWords.contains("All event streams are in use"), inTheirWords);
        assertEquals(1, rig.world.count(), "refused before an episode is begun");
        send(another, "GET /v1/research/e HTTP/1.1\r\nHost: localhost\r\n\r\n");
        String asEver = answer(another);
        assertTrue(asEver.startsWith("HTTP/1.1 404 "), asEver);
        readers.removeFirst().close();
        MemoryWorld.waitFor(() -> rig.edge.readers().count() == 2, "the reader to be gone");
        send(another, stream);
        String head = new String(another.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
        assertEquals("HTTP/1.1 200", head);
      }
      assertTrue(rig.get("/metrics").body().contains("cut_total{reason=\"streams\"} 2"));
      for (SseReader reader : readers) {
        reader.close();
      }
    }
  }

  @Test
  void a_refused_stream_begins_nothing_and_one_episode_when_it_is_sent_again() throws Exception {
    try (EdgeRig rig = rig(new EdgeSettings.Connections(4, LATER, LATER, 0.5))) {
      String id = rig.started("a");
      List<SseReader> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(new SseReader(rig.port(), "/v1/research/" + id + "/events"));
      }
      String body = "{\"input\":\"b\",\"stream\":true}";
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> refused = rig.post("/v1/responses", body, "Idempotency-Key", "k");
        assertEquals(503, refused.statusCode());
        assertEquals("5", refused.headers().firstValue("Retry-After").orElse(""));
        assertEquals(1, rig.world.count());
      }
      readers.removeFirst().close();
      MemoryWorld.waitFor(() -> rig.edge.readers().count() == 1, "the reader to be gone");
      rig.world.afterStart = one -> PlayedEpisode.play(rig.world, one);
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> taken = rig.post("/v1/responses", body, "Idempotency-Key", "k");
        assertEquals(200, taken.statusCode(), taken.body());
        assertEquals(2, rig.world.count());
      }
      // a place taken for what came to no stream is free again
      String nobody = body.replace("}", ",\"previous_response_id\":\"resp_no\"}");
      for (int i = 0; i < 3; i++) {
        assertEquals(400, rig.post("/v1/responses", nobody).statusCode());
      }
      readers.getFirst().close();
    }
  }

  @Test
  void a_page_of_a_configured_origin_may_read_why_there_is_no_room() throws Exception {
    try (EdgeRig rig = rig(new EdgeSettings.Connections(2, LATER, LATER, 0.5))) {
      String events = "/v1/research/" + rig.started("a") + "/events";
      try (SseReader first = new SseReader(rig.port(), events)) {
        assertEquals(200, first.status);
        String crowded =
            ask(
                rig,
                "GET " + events + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Origin: https://pages.example\r\n\r\n");
        assertTrue(crowded.contains("All event streams are in use"), crowded);
        assertTrue(crowded.contains("Access-Control-Allow-Origin: https://pages.example"), crowded);
      }
    }
  }

  private static String ask(EdgeRig rig, String request) {
    try {
      return RawHttp.ask(rig.port(), request);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void a_head_must_not_be_without_patience() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new EdgeSettings.Connections(1, Duration.ZERO, LATER, 1));
  }
}
