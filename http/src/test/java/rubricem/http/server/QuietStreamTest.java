package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;

/**
 * long silence behind a proxy that cuts silent connections. Heartbeats are ten times as
 * frequent as the proxy needs, and silence lasts for three of its limits.
 */
class QuietStreamTest {
  private static final Duration HEARTBEAT = Duration.ofMillis(100);
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final int BEATS = 30;
  private static final String CHAT =
      "{\"model\":\"rubricem\",\"stream\":true,\"messages\":[{\"role\":\"user\","
          + "\"content\":\"a\"}]}";
  private static final String RESPONSE = "{\"input\":\"b\",\"stream\":true}";

  private static EdgeRig rig(Duration heartbeat) throws Exception {
    return new EdgeRig(EdgeRig.settings(10, heartbeat), EdgeRig::doors);
  }

  private static SseReader open(EdgeRig rig, int port, String kind) throws Exception {
    return switch (kind) {
      case "native" -> {
        JsonNode started = EdgeRig.json(rig.post("/v1/research", "{\"question\":\"a\"}"));
        yield new SseReader(port, "/v1/research/" + started.get("id").asText() + "/events");
      }
      case "chat" -> SseReader.posting(port, "/v1/chat/completions", CHAT);
      default -> SseReader.posting(port, "/v1/responses", RESPONSE);
    };
  }

  private static EpisodeId first() {
    return new EpisodeId(String.format("e%026d", 1));
  }

  private static String rest(SseReader reader) throws IOException {
    StringBuilder data = new StringBuilder();
    for (SseReader.Block block = reader.next(); block != null; block = reader.next()) {
      data.append(block.event()).append(block.data()).append('\n');
    }
    return data.toString();
  }

  private static void awaitBeats(SseReader reader) throws IOException {
    for (int beats = 0; beats < BEATS; ) {
      SseReader.Block block = reader.next();
      beats += block.comment().isEmpty() ? 0 : 1;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "chat", "responses"})
  void R20_heartbeats_keep_a_silent_stream_alive_behind_a_proxy(String kind) throws Exception {
    try (EdgeRig rig = rig(HEARTBEAT);
        IdleProxy proxy = new IdleProxy(rig.port(), LIMIT);
        SseReader reader = open(rig, proxy.port(), kind)) {
      assertEquals(200, reader.status);
      awaitBeats(reader);
      PlayedEpisode.play(rig.world, first());
      assertTrue(rest(reader).contains(PlayedEpisode.OTHER), kind);
      assertEquals(0, proxy.cuts());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"chat", "responses"})
  void R20_events_that_say_nothing_to_a_reader_do_not_silence_its_stream(String kind)
      throws Exception {
    try (EdgeRig rig = rig(HEARTBEAT);
        IdleProxy proxy = new IdleProxy(rig.port(), LIMIT);
        SseReader reader = open(rig, proxy.port(), kind)) {
      AtomicBoolean enough = new AtomicBoolean();
      try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
        CompletableFuture<Void> calls =
            CompletableFuture.runAsync(() -> callsWithoutEnd(rig, enough), pool);
        try {
          awaitBeats(reader);
        } finally {
          enough.set(true);
          calls.get();
        }
      }
      rig.world.complete(first());
      rest(reader);
      assertEquals(0, proxy.cuts());
    }
  }

  /** A policy that is asked and asked: nothing of it is shown by the doors of others. */
  private static void callsWithoutEnd(EdgeRig rig, AtomicBoolean enough) {
    MemoryWorld.waitFor(() -> rig.world.count() == 1, "the episode");
    while (!enough.get()) {
      rig.world.append(
          first(),
          new EpisodeEvent.PolicyCallRequested(
              Instant.EPOCH, CallId.of(first(), 1), 1, "p", List.of()));
      java.util.concurrent.locks.LockSupport.parkNanos(HEARTBEAT.toNanos() / 3);
    }
  }

  @Test
  void R20_a_native_reader_that_is_cut_goes_on_without_gap_or_repeat() throws Exception {
    try (EdgeRig rig = rig(Duration.ofMinutes(1));
        IdleProxy proxy = new IdleProxy(rig.port(), LIMIT.dividedBy(4))) {
      String id =
          EdgeRig.json(rig.post("/v1/research", "{\"question\":\"a\"}")).get("id").asText();
      List<Long> seen = new ArrayList<>();
      for (int turn = 1; turn <= 3; turn++) {
        readUntilCut(proxy, id, seen);
        assertEquals(turn, proxy.cuts());
        rig.world.turn(first(), turn, "t");
      }
      rig.world.complete(first());
      try (SseReader reader = after(proxy, id, seen)) {
        seen.addAll(reader.numbers());
      }
      assertEquals(LongStream.rangeClosed(1, 8).boxed().toList(), seen);
    }
  }

  private static SseReader after(IdleProxy proxy, String id, List<Long> seen) throws IOException {
    return new SseReader(
        proxy.port(), "/v1/research/" + id + "/events",
        "Last-Event-ID: " + (seen.isEmpty() ? 0 : seen.getLast()));
  }

  private static void readUntilCut(IdleProxy proxy, String id, List<Long> seen) throws IOException {
    int before = proxy.cuts();
    try (SseReader reader = after(proxy, id, seen)) {
      while (true) {
        SseReader.Block block = reader.next();
        if (!block.id().isEmpty()) {
          seen.add(Long.parseLong(block.id()));
        }
      }
    } catch (IOException cut) {
      MemoryWorld.waitFor(() -> proxy.cuts() > before, "the proxy's cut");
    }
  }

  @Test
  void R20_a_client_of_the_openai_door_that_is_cut_goes_on_too() throws Exception {
    try (EdgeRig rig = rig(Duration.ofMinutes(1));
        IdleProxy proxy = new IdleProxy(rig.port(), LIMIT.dividedBy(4))) {
      List<Long> seen = new ArrayList<>();
      String id = "";
      try (SseReader reader = open(rig, proxy.port(), "responses")) {
        while (true) {
          JsonNode event = EdgeRig.JSON.readTree(reader.next().data());
          id = event.at("/response/id").asText(id);
          seen.add(event.get("sequence_number").asLong());
        }
      } catch (IOException cut) {
        MemoryWorld.waitFor(() -> proxy.cuts() == 1, "the proxy's cut");
      }
      PlayedEpisode.play(rig.world, first());
      String path =
          "/v1/responses/" + id + "?stream=true&starting_after=" + seen.getLast();
      try (SseReader reader = new SseReader(proxy.port(), path)) {
        for (SseReader.Block b = reader.next(); b != null; b = reader.next()) {
          seen.add(EdgeRig.JSON.readTree(b.data()).get("sequence_number").asLong());
        }
      }
      assertEquals(LongStream.range(0, seen.size()).boxed().toList(), seen);
      assertTrue(seen.size() > 10, seen.toString());
      // the same request again is the same episode from its start
      try (SseReader reader = open(rig, proxy.port(), "responses")) {
        assertTrue(rest(reader).contains(PlayedEpisode.OTHER));
      }
      assertEquals(1, rig.world.count());
    }
  }

  @Test
  void R20_a_chat_that_is_cut_is_asked_for_again_and_is_the_same_episode() throws Exception {
    try (EdgeRig rig = rig(Duration.ofMinutes(1));
        IdleProxy proxy = new IdleProxy(rig.port(), LIMIT.dividedBy(4))) {
      try (SseReader reader = open(rig, proxy.port(), "chat")) {
        assertThrows(IOException.class, () -> rest(reader));
      }
      MemoryWorld.waitFor(() -> proxy.cuts() == 1, "the proxy's cut");
      PlayedEpisode.play(rig.world, first());
      try (SseReader reader = open(rig, proxy.port(), "chat")) {
        assertTrue(rest(reader).contains(PlayedEpisode.OTHER));
      }
      assertEquals(1, rig.world.count());
    }
  }

  @Test
  void R20_R21_only_what_says_so_waits_longer_than_a_proxy_does() throws Exception {
    try (EdgeRig rig = rig(HEARTBEAT)) {
      List<String> longer =
          rig.server.endpoints().stream()
              .filter(e -> e.patience().compareTo(Duration.ofSeconds(60)) > 0)
              .map(Endpoint::template).toList();
      // none here: the patience of these two is a setting, 570 s unless told otherwise
      assertEquals(List.of(), longer);
      assertTrue(
          rig.server.endpoints().stream().filter(e -> e.template().equals("/mcp"))
              .allMatch(e -> e.patience().compareTo(Duration.ofSeconds(30)) < 0));
      assertEquals(405, rig.get("/mcp").statusCode(), "there is no stream that could fall silent");
    }
  }
}
