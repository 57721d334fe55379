package rubricem.http.server.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.http.server.MemoryWorld;
import rubricem.http.server.PlayedEpisode;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.scaffold.FormatLabel;
import rubricem.protocol.scaffold.ToolCall;

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
    switch (how) {
      case "answered" -> PlayedEpisode.play(world, id);
      case "failed" -> {
        PlayedEpisode.search(world, id);
        PlayedEpisode.fail(world, id);
      }
      default -> steps(Integer.parseInt(how));
    }
    stored = world.read(id, 0, 1_000).toCompletableFuture().join();
    view = world.stored(id).toCompletableFuture().join().orElseThrow();
  }

  /** Thoughts of 400 characters with a search each, of which every third fails. */
  private void steps(int count) {
    Instant at = Instant.parse("2026-01-01T00:00:00Z");
    for (int i = 0; i < count; i++) {
      world.turn(
          id, 2 * i + 1,
          "<think>" + "Why is it so? ".repeat(29) + "</think>"
              + "<call_tool name=\"local_search\">tides " + i + "</call_tool>");
      CallId call = CallId.of(id, 2 * i + 2);
      world.append(
          id,
          new EpisodeEvent.ToolCallRequested(
              at, call, new ToolCall("local_search", "tides " + i, Map.of())));
      world.append(
          id,
          i % 3 == 1
              ? new EpisodeEvent.ToolCallFailed(
                  at, call, 1, new CallFailure.Terminal("away", "The documents were away."),
                  Optional.empty())
              : new EpisodeEvent.ToolCallCompleted(
                  at, call, List.of(), List.of(), new Searched(2, 2, List.of()), List.of(),
                  List.of()));
    }
    PlayedEpisode.answer(world, id, "So it is.");
  }

  private int bytes(int steps) throws Exception {
    ResponseFoldTest other = new ResponseFoldTest();
    other.play("" + steps);
    ResponseFold fold = new ResponseFold(other.view, "rubricem", -1);
    StringBuilder out = new StringBuilder(fold.begin(other.view));
    other.stored.forEach(event -> out.append(fold.on(event.event())));
    return out.append(fold.end(other.view)).toString().getBytes(UTF_8).length;
  }

  @Test
  void a_stream_grows_with_its_steps_and_not_with_their_square() throws Exception {
    int few = bytes(6);
    int many = bytes(60);
    assertTrue(many < 10 * few, few + " and " + many + " bytes");
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

  /** OpenAI's Node helper takes it for all there is: it would lose what it has gathered. */
  @Test
  void what_says_that_it_goes_on_comes_before_the_first_item_only() throws Exception {
    play("4");
    List<String> types = types(told(-1, stored.size()));
    assertEquals(
        List.of("response.created", "response.in_progress", "response.in_progress"),
        types.subList(0, 3));
    assertEquals(2, types.stream().filter("response.in_progress"::equals).count());
  }

  @Test
  void an_end_that_waits_for_the_next_step_loses_nothing_and_keeps_the_usual_order()
      throws Exception {
    play("2");
    String summary = "response.reasoning_summary_";
    String search = "response.file_search_call.";
    String done = "response.output_item.done";
    assertEquals(
        List.of(
            "response.output_item.added", summary + "part.added", summary + "text.delta",
            summary + "text.done", summary + "part.done", done,
            "response.output_item.added", search + "in_progress", search + "searching",
            search + "completed", done, search + "completed",
            "response.output_item.added", summary + "part.added", summary + "text.delta",
            summary + "text.done", summary + "part.done", done,
            "response.output_item.added", search + "in_progress", search + "searching",
            search + "searching", done,
            "response.output_item.added", summary + "part.added"),
        types(told(-1, stored.size())).subList(3, 28));
    Gathered whole = new Gathered();
    List<JsonNode> all = told(-1, stored.size());
    all.forEach(whole::take);
    assertEquals(
        whole.items, List.copyOf(all.getLast().at("/response/output").valueStream().toList()));
    assertEquals(
        List.of("completed", "failed", "completed"),
        whole.items.stream().filter(i -> i.has("status")).map(i -> i.get("status").asText())
            .toList());
  }

  private static List<String> types(List<JsonNode> events) {
    return events.stream().map(e -> e.get("type").asText()).toList();
  }

  /** What a client has of the items in the end, and what it has heard of each text. */
  private static final class Gathered {
    private final List<JsonNode> items = new ArrayList<>();
    private final Map<String, String> texts = new TreeMap<>();

    void take(JsonNode event) {
      String item = event.path("item_id").asText();
      switch (event.get("type").asText()) {
        case "response.output_item.added" -> {
          assertEquals(items.size(), event.get("output_index").asInt());
          items.add(event.get("item"));
        }
        case "response.output_item.done" ->
            items.set(event.get("output_index").asInt(), event.get("item"));
        case "response.reasoning_summary_text.delta", "response.output_text.delta" ->
            texts.merge(item, event.get("delta").asText(), String::concat);
        case "response.in_progress" -> assertEquals(List.of(), items);
        default -> { }
      }
    }
  }

  private static Gathered gathered(List<JsonNode> events) {
    Gathered gathered = new Gathered();
    events.forEach(gathered::take);
    return gathered;
  }

  @ParameterizedTest
  @ValueSource(strings = {"answered", "failed", "1", "3"})
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
      List<JsonNode> rest = told(last, stored.size());
      assertEquals(whole.subList(last + 1, whole.size()), rest);
      // what the whole stream has in its place nobody misses
      List<JsonNode> heard = new ArrayList<>(begun.subList(0, last));
      heard.addAll(rest);
      assertEquals(gathered(whole).items, gathered(heard).items);
      assertEquals(gathered(whole).texts, gathered(heard).texts);
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
