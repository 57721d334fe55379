package rubricem.actors.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.UnreadableKind;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.CorpusStatus;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.port.ToolRequest;
import rubricem.protocol.scaffold.ToolCall;

class LocalSearchTest {
  private final FakeCorpus corpus = new FakeCorpus();
  private final LocalSearch search = new LocalSearch(corpus, 1, Runnable::run);

  private ToolOutcome call(Map<String, String> attributes) {
    return search
        .call(
            new ToolRequest(
                CallId.parse("e1/2"), new EpisodeId("e1"),
                new ToolCall(LocalSearch.NAME, "moon", attributes), Duration.ofSeconds(5)))
        .toCompletableFuture()
        .join();
  }

  @ParameterizedTest
  @CsvSource({"1,1", "8,8", "20,20", "21,20", "999999999,20", "0,1", "' 5 ',5"})
  void the_limit_is_what_is_asked_within_bounds(String asked, int used) {
    call(Map.of("limit", asked));
    assertEquals(new Corpus.Query("moon", used, ""), corpus.queries.getFirst());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "many", "-1", "1.5", "1000000000", "٣", "+3"})
  void a_limit_that_is_no_number_is_refused_with_what_is_right(String asked) {
    ToolOutcome.Refused refused =
        assertInstanceOf(ToolOutcome.Refused.class, call(Map.of("limit", asked)));
    assertTrue(refused.reason().contains("1 to 20"));
    assertEquals(List.of(), corpus.queries);
  }

  @Test
  void without_attributes_everything_is_searched() {
    call(Map.of());
    assertEquals(new Corpus.Query("moon", 8, ""), corpus.queries.getFirst());
  }

  @Test
  void document_restricts_the_search() {
    call(Map.of("document", " a b/tides.txt "));
    assertEquals("a b/tides.txt", corpus.queries.getFirst().document());
  }

  @Test
  void a_passage_is_found_with_its_key_in_the_note() {
    ToolOutcome.Found found = (ToolOutcome.Found) call(Map.of());
    assertEquals(
        List.of(Optional.of("key: tides.txt#10-20; by words")),
        found.passages().stream().map(Passage::note).toList());
    var unread = new Searched.Unread("x.pdf", UnreadableKind.ENCRYPTED, "");
    assertEquals(
        new Searched(
            3, 4, List.of("x.pdf: encrypted: it opens only with a password"), List.of(unread)),
        found.searched());
  }

  @Test
  void around_returns_the_neighbours_of_the_passage_with_that_key() {
    ToolOutcome.Found found = (ToolOutcome.Found) call(Map.of("around", " odd#name.txt#10-20 "));
    assertEquals(List.of("odd#name.txt 10 20 1"), corpus.around);
    assertEquals(1, found.passages().size());
    assertEquals(List.of(), corpus.queries);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "tides.txt", "tides.txt#10", "#1-2", "t#a-b", "t#1-9999999999"})
  void a_malformed_key_is_refused(String key) {
    assertInstanceOf(ToolOutcome.Refused.class, call(Map.of("around", key)));
    assertEquals(List.of(), corpus.around);
  }

  @Test
  void passages_without_a_vector_are_mentioned() {
    corpus.pending = 12;
    ToolOutcome.Found found = (ToolOutcome.Found) call(Map.of());
    assertTrue(found.notes().getLast().contains("12 passages"));
  }

  @Test
  void a_search_that_breaks_is_a_failure_that_can_be_tried_again_and_names_no_detail() {
    corpus.broken = Optional.of(new IllegalStateException("/secret/path"));
    for (Map<String, String> attributes :
        List.of(Map.<String, String>of(), Map.of("around", "t#1-2"))) {
      CallFailure failure =
          assertInstanceOf(ToolOutcome.Failed.class, call(attributes)).failure();
      assertInstanceOf(CallFailure.Transient.class, failure);
      assertTrue(!failure.message().contains("secret"), failure.message());
    }
  }

  private static final class FakeCorpus implements Corpus {
    final List<Query> queries = new ArrayList<>();
    final List<String> around = new ArrayList<>();
    int pending;
    Optional<RuntimeException> broken = Optional.empty();

    @Override
    public CompletionStage<Hits> search(Query query) {
      queries.add(query);
      return broken
          .<CompletionStage<Hits>>map(CompletableFuture::failedStage)
          .orElseGet(
              () ->
                  CompletableFuture.completedStage(
                      new Hits(
                          List.of(passage()), new Searched(3, 4, List.of()), pending, List.of())));
    }

    @Override
    public CorpusStatus status() {
      return new CorpusStatus(
          3, 4, 10, 10,
          List.of(
              new CorpusStatus.Unreadable("x.pdf", UnreadableKind.ENCRYPTED, ""),
              new CorpusStatus.Unreadable("y.pdf", UnreadableKind.SCANNED, "3")));
    }

    @Override
    public List<Passage> passagesAround(String document, int from, int to, int each) {
      broken.ifPresent(e -> {
        throw e;
      });
      around.add(document + " " + from + " " + to + " " + each);
      return List.of(passage());
    }

    @Override
    public Optional<Passage> passage(String document, int from, int to) {
      return Optional.empty();
    }

    private static Passage passage() {
      return new Passage(
          "tides.txt", "Tides", "file:///tides.txt", "", 10, 20, "text", 1,
          Optional.of("by words"));
    }
  }
}
