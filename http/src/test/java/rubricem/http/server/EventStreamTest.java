package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeProgress;

/** The event stream from outside, byte for byte, over episodes in memory. */
class EventStreamTest {
  private static final Duration QUIET = Duration.ofSeconds(15);

  private static EpisodeId start(EdgeRig rig) throws Exception {
    return new EpisodeId(
        EdgeRig.json(rig.post("/v1/research", "{\"question\":\"a\"}")).get("id").asText());
  }

  private static String events(EpisodeId id) {
    return "/v1/research/" + id + "/events";
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void R18_twenty_readers_that_come_and_go_see_every_event_once_in_order(long seed)
      throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      EpisodeId id = start(rig);
      int turns = 150;
      AtomicInteger written = new AtomicInteger();
      try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
        List<CompletableFuture<List<Long>>> readers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          Random random = new Random(seed * 100 + i);
          readers.add(CompletableFuture.supplyAsync(() -> readWithDrops(rig, id, random), pool));
        }
        for (int turn = 1; turn <= turns; turn++) {
          rig.world.turn(id, turn, "turn " + turn);
          written.set(turn);
        }
        rig.world.complete(id);
        for (CompletableFuture<List<Long>> reader : readers) {
          assertEquals(upTo(2 * turns + 2), reader.get());
        }
      }
      MemoryWorld.waitFor(() -> rig.edge.readers().count() == 0, "every reader gone");
      assertEquals(0, rig.world.watchers(id));
    }
  }

  /** Reads a few events, hangs up, comes back with the last number it has, until the end. */
  private static List<Long> readWithDrops(EdgeRig rig, EpisodeId id, Random random) {
    List<Long> seen = new ArrayList<>();
    long last = 0;
    try {
      while (true) {
        int enough = 1 + random.nextInt(60);
        boolean header = random.nextBoolean();
        try (SseReader reader =
            header
                // the header goes before the address, which a browser does not change
                ? new SseReader(
                    rig.port(), events(id) + "?after=0", "Last-Event-ID: " + last)
                : new SseReader(rig.port(), events(id) + "?after=" + last)) {
          assertEquals(200, reader.status);
          for (int i = 0; i < enough; i++) {
            SseReader.Block block = reader.next();
            if (block == null) {
              return seen;
            }
            if (!block.id().isEmpty()) {
              last = Long.parseLong(block.id());
              assertTrue(block.data().contains("\"sequence\":" + last + ","), block.data());
              assertTrue(block.data().contains("\"kind\":\"" + block.event() + "\""));
              seen.add(last);
            }
          }
        }
      }
    } catch (Exception e) {
      throw new AssertionError("after event " + last, e);
    }
  }

  @Test
  void an_ended_episode_gives_everything_and_the_end_without_being_woken() throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      EpisodeId id = start(rig);
      for (int turn = 1; turn <= 40; turn++) {
        rig.world.turn(id, turn, "x");
      }
      rig.world.complete(id);
      try (SseReader reader = new SseReader(rig.port(), events(id))) {
        assertEquals(upTo(82), reader.numbers());
      }
      try (SseReader reader =
          new SseReader(rig.port(), events(id), "Last-Event-ID: 80")) {
        assertEquals(List.of(81L, 82L), reader.numbers());
      }
      try (SseReader reader = new SseReader(rig.port(), events(id) + "?after=82")) {
        assertEquals(List.of(), reader.numbers());
      }
      for (String wrong : List.of("?after=83", "?after=-1", "?after=x", "?progress=maybe")) {
        assertEquals(400, rig.get(events(id) + wrong).statusCode(), wrong);
      }
      assertEquals(0, rig.world.watchers(id));
    }
  }

  @Test
  void R20_R21_a_quiet_stream_speaks_at_once_and_stays_open_with_raw_comments() throws Exception {
    try (EdgeRig rig =
            new EdgeRig(EdgeRig.settings(10, Duration.ofMillis(300)), EdgeRig::doors)) {
      EpisodeId id = start(rig);
      try (SseReader reader = new SseReader(rig.port(), events(id))) {
        assertTrue(reader.headers.contains("Content-Type: text/event-stream"), reader.headers + "");
        assertTrue(reader.headers.contains("Cache-Control: no-store"));
        assertTrue(reader.headers.contains("X-Accel-Buffering: no"));
        assertEquals(new SseReader.Block("", "", "", ""), reader.next()); // retry
        assertEquals("1", reader.next().id());
        for (int i = 0; i < 3; i++) {
          assertEquals(new SseReader.Block("", "", "", "still here"), reader.next());
        }
        rig.world.complete(id);
        SseReader.Block last = reader.next();
        while (last.id().isEmpty()) {
          last = reader.next();
        }
        assertEquals("episode_completed", last.event());
        assertEquals(null, reader.next());
      }
      // (a) of R-20: a FIN while nothing happens is noticed by a heartbeat
      EpisodeId quiet = start(rig);
      try (SseReader reader = new SseReader(rig.port(), events(quiet))) {
        reader.next();
        reader.next();
        MemoryWorld.waitFor(() -> rig.edge.readers().count() == 1, "a reader");
      }
      MemoryWorld.waitFor(() -> rig.edge.readers().count() == 0, "the reader's end");
      // the one that waits for the end of the episode
      assertEquals(1, rig.world.watchers(quiet));
    }
  }

  @Test
  void a_server_that_stops_says_so_and_ends_the_stream_cleanly() throws Exception {
    EdgeRig rig = new EdgeRig();
    EpisodeId id = start(rig);
    try (SseReader reader = new SseReader(rig.port(), events(id))) {
      reader.next();
      assertEquals("1", reader.next().id());
      var stopping = rig.server.stop().toCompletableFuture();
      assertTrue(reader.next().comment().contains("the server stops"));
      assertEquals(null, reader.next());
      stopping.get();
    } finally {
      rig.close();
    }
  }

  @Test
  void a_slow_reader_costs_one_page_and_holds_nobody_back() throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      EpisodeId id = start(rig);
      String big = "x".repeat(20_000);
      try (SseReader slow = new SseReader(rig.port(), events(id))) {
        slow.next();
        assertEquals("1", slow.next().id());
        // 20 MB of events while the reader does not read
        for (int turn = 1; turn <= 1_000; turn++) {
          rig.world.turn(id, turn, big);
        }
        try (SseReader quick = new SseReader(rig.port(), events(id) + "?after=1999")) {
          quick.next();
          assertEquals("2000", quick.next().id());
        }
        int read = rig.world.eventsRead.get();
        // what the sockets (4 MB at most) and one page hold: far from the 2,001 that there are. Not
        // counted in pages: one that keeps up reads many small ones
        assertTrue(read < 1_000, read + " events were read for a reader that does not read");
        rig.world.complete(id);
        List<Long> rest = slow.numbers();
        assertEquals(upTo(2_002).subList(1, 2_002), rest);
      }
    }
  }

  @Test
  void passing_news_come_only_to_those_who_ask_and_have_no_number() throws Exception {
    try (EdgeRig rig = new EdgeRig(EdgeRig.settings(10, QUIET), EdgeRig::doors)) {
      EpisodeId id = start(rig);
      CallId call = CallId.of(id, 1);
      try (SseReader curious = new SseReader(rig.port(), events(id) + "?progress=true");
          SseReader plain = new SseReader(rig.port(), events(id))) {
        for (SseReader reader : List.of(curious, plain)) {
          reader.next();
          assertEquals("1", reader.next().id());
        }
        // two watchers of the streams and one that waits for the episode's end
        MemoryWorld.waitFor(() -> rig.world.watchers(id) == 3, "both watch");
        rig.world.show(id, new EpisodeProgress.TextGenerated(call, "Once\nupon"));
        SseReader.Block text = curious.next();
        assertEquals("text_generated", text.event());
        assertEquals("", text.id());
        assertEquals(
            "Once\nupon", EdgeRig.JSON.readTree(text.data()).get("text").asText());
        // a thousand pieces while it does not read are put together, not piled up
        for (int i = 0; i < 200_000; i++) {
          rig.world.show(id, new EpisodeProgress.TextGenerated(call, "0123456789"));
        }
        rig.world.turn(id, 1, "done");
        rig.world.complete(id);
        List<Long> numbers = curious.numbers();
        assertEquals(List.of(2L, 3L, 4L), numbers);
        assertEquals(List.of(2L, 3L, 4L), plain.numbers());
      }
    }
  }
}
