package rubricem.http.server.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.http.server.MemoryWorld;
import rubricem.http.server.PlayedEpisode;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.scaffold.FormatLabel;

/** A stream that a stopping server breaks off anywhere goes on behind its last number. */
class ResponseFoldTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final MemoryWorld world = new MemoryWorld();
  private final EpisodeId id = world.nextId();
  private List<EventStored> stored = List.of();
  private EpisodeView view;

  private void play(String how) {
    EpisodeRequest request =
        new EpisodeRequest(
            "a", FormatLabel.LONG_FORM, "extractive", List.of("corpus"), List.of("/docs"),
            new EpisodeLimits(10, 600, 1_000_000, 0), 0, Map.of());
    world.start(id, request).toCompletableFuture().join();
    if (how.equals("answered")) {
      PlayedEpisode.play(world, id);
    } else {
      PlayedEpisode.search(world, id);
      PlayedEpisode.fail(world, id);
    }
    stored = world.read(id, 0, 1_000).toCompletableFuture().join();
    view = world.stored(id).toCompletableFuture().join().orElseThrow();
  }

  /** @param events how many are told before the server stops; all of them: it does not */
  private List<JsonNode> told(long after, int events) throws Exception {
    ResponseFold fold = new ResponseFold(view, "rubricem", after);
    StringBuilder out = new StringBuilder(fold.begin(view));
    for (EventStored event : stored.subList(0, events)) {
      out.append(fold.on(event.event()));
    }
    out.append(events == stored.size() ? fold.end(view) : fold.serverStops());
    List<JsonNode> told = new ArrayList<>();
    for (String line : out.toString().split("\n")) {
      if (line.startsWith("data: ")) {
        told.add(JSON.readTree(line.substring(6)));
      }
    }
    return told;
  }

  private static List<Long> numbers(List<JsonNode> events) {
    return events.stream().map(e -> e.get("sequence_number").asLong()).toList();
  }

  @Test
  void what_says_that_it_goes_on_holds_the_items_so_far() throws Exception {
    play("answered");
    List<JsonNode> items = new ArrayList<>();
    int said = 0;
    for (JsonNode event : told(-1, stored.size())) {
      switch (event.get("type").asText()) {
        case "response.output_item.added" -> items.add(event.get("item"));
        case "response.output_item.done" ->
            items.set(event.get("output_index").asInt(), event.get("item"));
        case "response.in_progress" -> {
          said++;
          assertEquals(items, List.copyOf(event.at("/response/output").valueStream().toList()));
        }
        default -> assertTrue(said > 0 || event.get("type").asText().equals("response.created"));
      }
    }
    assertTrue(said > 3, "" + said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"answered", "failed"})
  void wherever_the_server_stops_the_error_goes_on_counting_and_nothing_is_missed(String how)
      throws Exception {
    play(how);
    List<JsonNode> whole = told(-1, stored.size());
    assertEquals(LongStream.range(0, whole.size()).boxed().toList(), numbers(whole));
    for (int events = 0; events < stored.size(); events++) {
      List<JsonNode> begun = told(-1, events);
      int last = begun.size() - 1;
      assertEquals(LongStream.range(0, begun.size()).boxed().toList(), numbers(begun));
      assertEquals("error", begun.getLast().get("type").asText());
      assertEquals(whole.subList(0, last), begun.subList(0, last));
      // in its place the whole stream only says once more that the response goes on
      assertEquals("response.in_progress", whole.get(last).get("type").asText());
      List<JsonNode> rest = told(last, stored.size());
      assertEquals(whole.subList(last + 1, whole.size()), rest);
      // stopped again while it is brought back there, and again right behind it
      for (int again = 0; again <= events; again++) {
        JsonNode error = told(last, again).getLast();
        assertEquals("error", error.get("type").asText());
        assertEquals(last, error.get("sequence_number").asLong());
      }
    }
    assertTrue(whole.size() > 12, "" + whole.size());
  }
}
