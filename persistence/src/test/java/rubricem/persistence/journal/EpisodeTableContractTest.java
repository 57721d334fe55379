package rubricem.persistence.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeIndex;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.episode.RequestKeys;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.scaffold.FormatLabel;

/** The list of episodes and the request keys, on whichever database. */
abstract class EpisodeTableContractTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(100));

  private JournalDatabase database;
  private JournalWriter writer;
  private StoredEpisodes episodes;

  /** An empty database. */
  abstract DatabaseSettings settings() throws SQLException;

  @BeforeEach
  void open() throws SQLException {
    database = JournalDatabase.open(settings());
    writer = new JournalWriter(database);
    episodes = new StoredEpisodes(database);
  }

  @AfterEach
  void close() {
    writer.close();
    database.close();
  }

  private static EpisodeEvent began(String id, String question) {
    return new EpisodeEvent.EpisodeStarted(
        Instant.ofEpochMilli(1_000), new EpisodeId(id),
        new EpisodeRequest(
            question, FormatLabel.LONG_FORM, "extractive", List.of("corpus"), List.of(),
            new EpisodeLimits(1, 1, 0, 0), 0, Map.of()),
        new PromptRef("p", "h"), new PromptRef("f", "h"), List.of(), Searched.NOTHING);
  }

  private void store(String id, long sequence, EpisodeEvent... events) {
    writer.store(new EpisodeId(id), sequence, List.of(events)).toCompletableFuture().join();
  }

  private List<String> listed(Optional<EpisodeStatus> status, String text) {
    return episodes
        .page(new EpisodeIndex.Query(Optional.empty(), status, text, 200))
        .toCompletableFuture().join().entries().stream()
        .map(e -> e.id().value())
        .toList();
  }

  @Test
  void a_list_says_how_each_episode_ended() {
    store("e1", 1, began("e1", "One?"));
    store("e2", 1, began("e2", "Two?"));
    store("e2", 2, new EpisodeEvent.EpisodeFailed(
        Instant.ofEpochMilli(2_000), "policy", "no answer", false));
    store("e3", 1, began("e3", "Three?"), new EpisodeEvent.EpisodeCompleted(
        Instant.ofEpochMilli(3_000), EpisodeOutcome.NO_EVIDENCE));
    store("e4", 1, began("e4", "Four?"));
    store("e4", 2, new EpisodeEvent.EpisodeCancelled(Instant.ofEpochMilli(4_000)));

    EpisodeIndex.Page all =
        episodes
            .page(new EpisodeIndex.Query(Optional.empty(), Optional.empty(), "", 10))
            .toCompletableFuture().join();
    assertEquals(
        List.of(
            new EpisodeIndex.Entry(new EpisodeId("e4"), EpisodeStatus.CANCELLED, Optional.empty(),
                "Four?", Instant.ofEpochMilli(1_000), Optional.of(Instant.ofEpochMilli(4_000))),
            new EpisodeIndex.Entry(new EpisodeId("e3"), EpisodeStatus.COMPLETED,
                Optional.of(EpisodeOutcome.NO_EVIDENCE), "Three?", Instant.ofEpochMilli(1_000),
                Optional.of(Instant.ofEpochMilli(3_000))),
            new EpisodeIndex.Entry(new EpisodeId("e2"), EpisodeStatus.FAILED, Optional.empty(),
                "Two?", Instant.ofEpochMilli(1_000), Optional.of(Instant.ofEpochMilli(2_000))),
            new EpisodeIndex.Entry(new EpisodeId("e1"), EpisodeStatus.RUNNING, Optional.empty(),
                "One?", Instant.ofEpochMilli(1_000), Optional.empty())),
        all.entries());
    assertEquals(Optional.empty(), all.next());

    store("e2", 3, new EpisodeEvent.EpisodeResumed(Instant.ofEpochMilli(5_000), "extractive"));
    assertEquals(List.of("e2", "e1"), listed(Optional.of(EpisodeStatus.RUNNING), ""));
    assertEquals(List.of(), listed(Optional.of(EpisodeStatus.FAILED), ""));
  }

  @Test
  void pages_follow_one_another_without_gap_or_repeat() {
    for (int i = 10; i < 33; i++) {
      store("e" + i, 1, began("e" + i, "Question " + i));
    }
    List<String> read = new ArrayList<>();
    Optional<EpisodeId> before = Optional.empty();
    do {
      EpisodeIndex.Page page =
          episodes
              .page(new EpisodeIndex.Query(before, Optional.empty(), "", 5))
              .toCompletableFuture().join();
      page.entries().forEach(e -> read.add(e.id().value()));
      before = page.next();
    } while (before.isPresent());
    assertEquals(listed(Optional.empty(), ""), read);
    assertEquals(23, Set.copyOf(read).size());
  }

  @Test
  void a_search_takes_the_text_as_it_is_whatever_its_case() {
    store("e1", 1, began("e1", "Was kostet ÜBERTRAGUNG bei 100% Last?"));
    store("e2", 1, began("e2", "max_connections and 1000 others"));
    store("e3", 1, began("e3", "maxXconnections! \0 \ud83d\ude00".repeat(3)));
    assertEquals(List.of("e1"), listed(Optional.empty(), "Übertragung"));
    assertEquals(List.of("e1"), listed(Optional.empty(), "100%"));
    assertEquals(List.of("e2"), listed(Optional.empty(), "MAX_connections"));
    assertEquals(List.of("e3"), listed(Optional.empty(), "connections!"));
    assertEquals(List.of("e3"), listed(Optional.empty(), "\ud83d\ude00"));
  }

  @Test
  void a_long_question_is_cut_between_characters() {
    store("e1", 1, began("e1", "x" + "\ud83d\ude00".repeat(20_000)));
    EpisodeIndex.Entry entry =
        episodes
            .page(new EpisodeIndex.Query(Optional.empty(), Optional.empty(), "", 10))
            .toCompletableFuture().join().entries().getFirst();
    assertEquals("x" + "\ud83d\ude00".repeat(999), entry.question());
  }

  @Test
  void a_journal_that_is_older_than_the_list_gets_one() throws SQLException {
    store("e1", 1, began("e1", "One?"));
    store("e2", 1, began("e2", "Two?"));
    store("e2", 2, new EpisodeEvent.EpisodeCancelled(Instant.ofEpochMilli(4_000)));
    try (Connection c = database.connect();
        Statement s = c.createStatement()) {
      s.execute("DROP TABLE episode");
      s.execute("DELETE FROM schema_version WHERE version >= 2");
    }
    JournalDatabase.open(database.settings()).close();
    assertEquals(List.of("e2", "e1"), listed(Optional.empty(), ""));
    assertEquals(List.of("e2"), listed(Optional.of(EpisodeStatus.CANCELLED), ""));
  }

  @Test
  void an_episode_is_shown_as_stored_without_waking_it() {
    store("e1", 1, began("e1", "One?"));
    assertEquals(
        "One?",
        episodes.stored(new EpisodeId("e1")).toCompletableFuture().join().orElseThrow()
            .question());
    assertEquals(
        Optional.empty(), episodes.stored(new EpisodeId("e9")).toCompletableFuture().join());
    assertEquals(
        Optional.empty(),
        episodes.snippet(new EpisodeId("e1"), "S_1").toCompletableFuture().join());
  }

  @Test
  void of_fifty_claims_at_once_one_wins_and_all_hear_of_it() {
    StoredRequestKeys keys = new StoredRequestKeys(database, CLOCK);
    List<CompletableFuture<RequestKeys.Claim>> claims = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      claims.add(keys.claim("key", "digest" + i, new EpisodeId("e" + i)).toCompletableFuture());
    }
    Set<RequestKeys.Claim> heard =
        claims.stream().map(CompletableFuture::join).collect(Collectors.toSet());
    assertEquals(Set.of(new RequestKeys.Claim(new EpisodeId("e0"), "digest0")), heard);
    assertEquals(
        new EpisodeId("other"),
        keys.claim("key2", "d", new EpisodeId("other")).toCompletableFuture().join().id());
  }

  @Test
  void a_key_is_found_and_may_be_made_to_mean_another_episode() {
    RequestKeys keys = new StoredRequestKeys(database, CLOCK);
    assertEquals(Optional.empty(), keys.find("key").toCompletableFuture().join());
    keys.claim("key", "d", new EpisodeId("e1")).toCompletableFuture().join();
    keys.replace("key", "other", new EpisodeId("e2")).toCompletableFuture().join();
    keys.replace("key2", "d", new EpisodeId("e3")).toCompletableFuture().join();
    assertEquals(
        Optional.of(new RequestKeys.Claim(new EpisodeId("e2"), "other")),
        keys.find("key").toCompletableFuture().join());
    assertEquals(
        new EpisodeId("e3"),
        keys.claim("key2", "d", new EpisodeId("e4")).toCompletableFuture().join().id());
  }

  @Test
  void a_claim_outlives_the_process() throws SQLException {
    new StoredRequestKeys(database, CLOCK).claim("key", "d", new EpisodeId("e1"))
        .toCompletableFuture().join();
    try (JournalDatabase later = JournalDatabase.open(database.settings())) {
      assertEquals(
          new EpisodeId("e1"),
          new StoredRequestKeys(later, CLOCK).claim("key", "d", new EpisodeId("e2"))
              .toCompletableFuture().join().id());
    }
  }

  @Test
  void old_claims_are_forgotten_and_replaced_ones_stay() {
    StoredRequestKeys keys = new StoredRequestKeys(database, CLOCK);
    keys.claim("old", "d", new EpisodeId("e1")).toCompletableFuture().join();
    keys.claim("set", "d", new EpisodeId("e2")).toCompletableFuture().join();
    keys.replace("set", "d", new EpisodeId("e3")).toCompletableFuture().join();
    StoredRequestKeys later =
        new StoredRequestKeys(database, InstantSource.fixed(Instant.ofEpochSecond(161)));
    later.forget(Duration.ofSeconds(62)).toCompletableFuture().join();
    assertTrue(keys.find("old").toCompletableFuture().join().isPresent());
    later.forget(Duration.ofSeconds(60)).toCompletableFuture().join();
    assertEquals(Optional.empty(), keys.find("old").toCompletableFuture().join());
    assertTrue(keys.find("set").toCompletableFuture().join().isPresent());
  }

  @Test
  void a_write_that_fails_takes_no_other_with_it() {
    store("e1", 1, began("e1", "One?"));
    CompletableFuture<Void> taken =
        writer.store(new EpisodeId("e1"), 1, List.of(began("e1", "Again?")))
            .toCompletableFuture();
    store("e2", 1, began("e2", "Two?"));
    assertThrows(CompletionException.class, taken::join);
    assertTrue(taken.isCompletedExceptionally());
    assertEquals(List.of("e2", "e1"), listed(Optional.empty(), ""));
  }
}
