package rubricem.persistence.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.DeleteMessagesSuccess;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.Persistence;
import org.apache.pekko.persistence.PersistentEnvelope;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.PersistentRepr$;
import org.apache.pekko.persistence.SaveSnapshotSuccess;
import org.apache.pekko.persistence.SnapshotMetadata;
import org.apache.pekko.persistence.SnapshotProtocol;
import org.apache.pekko.persistence.SnapshotSelectionCriteria;
import org.apache.pekko.testkit.javadsl.TestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import rubricem.persistence.serialization.UnknownKind;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import scala.jdk.javaapi.CollectionConverters;

/** What Pekko and our readers rely on, of journal and snapshots, on whichever database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JournalContractTest {
  private static final long ALL = Long.MAX_VALUE;

  private ActorSystem system;
  private JournalDatabase database;

  /** A fresh database. */
  abstract String url();

  @BeforeAll
  void open() {
    system =
        ActorSystem.create(
            "journal",
            ConfigFactory.empty()
                .withValue("rubricem.database.url", ConfigValueFactory.fromAnyRef(url()))
                .withValue("rubricem.database.user", ConfigValueFactory.fromAnyRef(user()))
                .withFallback(ConfigFactory.parseResources("persistence.conf"))
                .withFallback(ConfigFactory.parseResources("serialization.conf"))
                .withFallback(ConfigFactory.defaultReference())
                .resolve());
    database = JournalExtension.get(system).database();
  }

  String user() {
    return "";
  }

  @AfterAll
  void close() {
    TestKit.shutdownActorSystem(system);
  }

  DatabaseSettings settings(int queued, int perCommit) {
    return new DatabaseSettings(url(), user(), "", 2, queued, perCommit);
  }

  private static String id(TestInfo test) {
    return "ResearchEpisode|" + test.getTestMethod().orElseThrow().getName();
  }

  private static EpisodeEvent event(long n) {
    return new EpisodeEvent.EpisodeCancelled(Instant.ofEpochMilli(n));
  }

  // -- the journal as Pekko drives it -----------------------------------------------------------

  private ActorRef journal() {
    return Persistence.get(system).journalFor("", ConfigFactory.empty());
  }

  private static PersistentRepr repr(String id, long seq) {
    return PersistentRepr$.MODULE$.apply(
        event(seq), seq, id, "", false, ActorRef.noSender(), "");
  }

  private static AtomicWrite write(String id, long first, int events) {
    List<PersistentRepr> reprs = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      reprs.add(repr(id, first + i));
    }
    return new AtomicWrite(CollectionConverters.asScala(reprs).toList());
  }

  /** The first word of each answer: stored, failed or rejected. */
  private Object stores(AtomicWrite write) {
    TestKit probe = new TestKit(system);
    List<PersistentEnvelope> writes = List.of(write);
    journal()
        .tell(
            new JournalProtocol.WriteMessages(
                CollectionConverters.asScala(writes).toList(), probe.getRef(), 1),
            probe.getRef());
    return probe.expectMsgAnyClassOf(
        java.time.Duration.ofSeconds(20),
        JournalProtocol.WriteMessagesSuccessful$.class,
        JournalProtocol.WriteMessagesFailed.class);
  }

  private void stored(AtomicWrite write) {
    assertEquals(JournalProtocol.WriteMessagesSuccessful$.MODULE$, stores(write));
  }

  private record Replayed(List<Long> sequences, long highest) {}

  private Replayed replay(String id, long from, long to, long max) {
    TestKit probe = new TestKit(system);
    journal()
        .tell(
            new JournalProtocol.ReplayMessages(from, to, max, id, probe.getRef()),
            probe.getRef());
    List<Long> sequences = new ArrayList<>();
    while (true) {
      switch (probe.expectMsgAnyClassOf(
          java.time.Duration.ofSeconds(20),
          JournalProtocol.ReplayedMessage.class, JournalProtocol.RecoverySuccess.class)) {
        case JournalProtocol.ReplayedMessage m -> {
          assertEquals(event(m.persistent().sequenceNr()), m.persistent().payload());
          assertEquals(id, m.persistent().persistenceId());
          sequences.add(m.persistent().sequenceNr());
        }
        case JournalProtocol.RecoverySuccess s -> {
          return new Replayed(sequences, s.highestSequenceNr());
        }
        default -> throw new AssertionError();
      }
    }
  }

  private void delete(String id, long to) {
    TestKit probe = new TestKit(system);
    journal()
        .tell(new JournalProtocol.DeleteMessagesTo(id, to, probe.getRef()), probe.getRef());
    probe.expectMsgClass(DeleteMessagesSuccess.class);
  }

  private static List<Long> range(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> (long) i).toList();
  }

  private String tenEvents(TestInfo test) {
    stored(write(id(test), 1, 3));
    stored(write(id(test), 4, 1));
    stored(write(id(test), 5, 6));
    return id(test);
  }

  @Test
  void everything_stored_is_replayed_in_order(TestInfo test) {
    assertEquals(
        new Replayed(range(1, 10), 10), replay(tenEvents(test), 1, ALL, ALL));
  }

  @Test
  void an_id_that_was_never_used_is_empty(TestInfo test) {
    assertEquals(new Replayed(List.of(), 0), replay(id(test), 1, ALL, ALL));
  }

  @Test
  void a_replay_begins_and_ends_inside_a_write(TestInfo test) {
    String id = tenEvents(test);
    assertEquals(range(2, 7), replay(id, 2, 7, ALL).sequences());
    assertEquals(range(2, 2), replay(id, 2, 2, ALL).sequences());
    assertEquals(List.of(), replay(id, 11, ALL, ALL).sequences());
    assertEquals(List.of(), replay(id, 7, 2, ALL).sequences());
  }

  @Test
  void a_replay_ends_after_as_many_as_were_asked(TestInfo test) {
    String id = tenEvents(test);
    assertEquals(range(2, 6), replay(id, 2, ALL, 5).sequences());
    assertEquals(List.of(), replay(id, 1, ALL, 0).sequences());
  }

  @Test
  void deleted_events_are_gone_even_where_their_write_stays(TestInfo test) {
    String id = tenEvents(test);
    delete(id, 6);
    assertEquals(new Replayed(range(7, 10), 10), replay(id, 1, ALL, ALL));
    delete(id, 2);
    assertEquals(range(7, 10), replay(id, 1, ALL, ALL).sequences());
  }

  @Test
  void a_number_once_used_stays_used_when_everything_is_deleted(TestInfo test) {
    String id = tenEvents(test);
    delete(id, ALL);
    assertEquals(new Replayed(List.of(), 10), replay(id, 1, ALL, ALL));
    stored(write(id, 11, 2));
    assertEquals(new Replayed(range(11, 12), 12), replay(id, 1, ALL, ALL));
  }

  @Test
  void a_second_writer_of_a_number_fails_and_changes_nothing(TestInfo test) {
    String id = tenEvents(test);
    assertTrue(stores(write(id, 5, 2)) instanceof JournalProtocol.WriteMessagesFailed);
    assertEquals(new Replayed(range(1, 10), 10), replay(id, 1, ALL, ALL));
  }

  @Test
  void what_cannot_be_written_is_rejected_and_the_journal_goes_on(TestInfo test) {
    TestKit probe = new TestKit(system);
    PersistentRepr stray =
        PersistentRepr$.MODULE$.apply(
            new Object(), 1, id(test), "", false, ActorRef.noSender(), "");
    List<PersistentEnvelope> writes = List.of(AtomicWrite.apply(stray));
    journal()
        .tell(
            new JournalProtocol.WriteMessages(
                CollectionConverters.asScala(writes).toList(), probe.getRef(), 1),
            probe.getRef());
    probe.expectMsg(JournalProtocol.WriteMessagesSuccessful$.MODULE$);
    probe.expectMsgClass(JournalProtocol.WriteMessageRejected.class);
    stored(write(id(test), 1, 1));
  }

  // -- snapshots --------------------------------------------------------------------------------

  /** Pekko itself says when a snapshot was taken. */
  private void snapshot(String id, long seq) {
    TestKit probe = new TestKit(system);
    Persistence.get(system)
        .snapshotStoreFor("", ConfigFactory.empty())
        .tell(
            new SnapshotProtocol.SaveSnapshot(new SnapshotMetadata(id, seq, 0), event(seq)),
            probe.getRef());
    probe.expectMsgClass(SaveSnapshotSuccess.class);
  }

  private Optional<Long> loaded(String id, SnapshotSelectionCriteria criteria) {
    TestKit probe = new TestKit(system);
    Persistence.get(system)
        .snapshotStoreFor("", ConfigFactory.empty())
        .tell(new SnapshotProtocol.LoadSnapshot(id, criteria, ALL), probe.getRef());
    var result = probe.expectMsgClass(SnapshotProtocol.LoadSnapshotResult.class);
    return result.snapshot().isEmpty()
        ? Optional.empty()
        : Optional.of(result.snapshot().get().metadata().sequenceNr())
            .filter(n -> result.snapshot().get().snapshot().equals(event(n)));
  }

  private static SnapshotSelectionCriteria upTo(long seq) {
    return SnapshotSelectionCriteria.create(seq, ALL);
  }

  @Test
  void the_newest_snapshot_that_fits_is_loaded(TestInfo test) {
    String id = id(test);
    assertEquals(Optional.empty(), loaded(id, SnapshotSelectionCriteria.latest()));
    snapshot(id, 5);
    snapshot(id, 9);
    assertEquals(Optional.of(9L), loaded(id, SnapshotSelectionCriteria.latest()));
    assertEquals(Optional.of(5L), loaded(id, upTo(8)));
    assertEquals(Optional.empty(), loaded(id, upTo(4)));
    assertEquals(Optional.empty(), loaded(id, SnapshotSelectionCriteria.create(ALL, 150)));
    assertEquals(
        Optional.empty(), loaded(id, SnapshotSelectionCriteria.create(ALL, ALL, 0, ALL)));
    assertEquals(
        Optional.empty(), loaded(id, SnapshotSelectionCriteria.create(8, ALL, 6, 0)));
    assertEquals(Optional.empty(), loaded(id, SnapshotSelectionCriteria.none()));
  }

  @Test
  void a_snapshot_taken_again_replaces_the_first(TestInfo test) {
    snapshot(id(test), 5);
    snapshot(id(test), 5);
    awaitSnapshots(id(test), 1);
    assertEquals(Optional.of(5L), loaded(id(test), upTo(5)));
  }

  @Test
  void snapshots_are_deleted_one_by_one_and_by_what_they_have_in_common(TestInfo test) {
    String id = id(test);
    for (long seq = 1; seq <= 4; seq++) {
      snapshot(id, seq);
    }
    ActorRef store = Persistence.get(system).snapshotStoreFor("", ConfigFactory.empty());
    store.tell(
        new SnapshotProtocol.DeleteSnapshot(new SnapshotMetadata(id, 4, 4)),
        ActorRef.noSender());
    store.tell(new SnapshotProtocol.DeleteSnapshots(id, upTo(2)), ActorRef.noSender());
    awaitSnapshots(id, 1);
    assertEquals(Optional.of(3L), loaded(id, SnapshotSelectionCriteria.latest()));
  }

  private void awaitSnapshots(String id, int count) {
    new TestKit(system)
        .awaitCond(
            () -> {
              try (Connection c = database.reader();
                  PreparedStatement select =
                      c.prepareStatement(
                          "SELECT COUNT(*) FROM snapshot s JOIN journal_entity e"
                              + " ON e.no = s.entity WHERE e.persistence_id = ?")) {
                select.setString(1, id);
                var rows = select.executeQuery();
                rows.next();
                return rows.getInt(1) == count;
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
            });
  }

  // -- group commit -----------------------------------------------------------------------------

  private static GroupCommit.Write group(String id, long seq) {
    return GroupCommit.Write.of(
        id, seq, List.of(new JournalFrames.Frame(1, "m", new byte[] {1, 2})), List.of());
  }

  private static boolean succeeded(CompletableFuture<Void> write) {
    return write.handle((done, failure) -> failure == null).join();
  }

  @Test
  void of_writers_that_collide_the_first_is_stored_and_everybody_elses_write_too(TestInfo test) {
    try (GroupCommit commit = new GroupCommit(database)) {
      List<CompletableFuture<Void>> good = new ArrayList<>();
      List<CompletableFuture<Void>> late = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        String id = id(test) + i;
        good.add(commit.store(List.of(group(id, 1))).toCompletableFuture());
        if (i % 10 == 0) {
          late.add(commit.store(List.of(group(id, 1))).toCompletableFuture());
        }
      }
      assertTrue(good.stream().allMatch(JournalContractTest::succeeded));
      assertTrue(late.stream().noneMatch(JournalContractTest::succeeded));
    }
  }

  @Test
  void a_writer_that_is_asked_too_much_refuses_and_stores_the_rest(TestInfo test)
      throws SQLException {
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    try (JournalDatabase small = JournalDatabase.open(settings(2, 1));
        Connection blocker = small.connect();
        GroupCommit commit = new GroupCommit(small)) {
      blocker.setAutoCommit(false);
      try (Statement hold = blocker.createStatement()) {
        hold.execute(
            "INSERT INTO journal_entity (persistence_id) VALUES ('" + id(test) + "')");
      }
      for (int seq = 1; seq <= 10; seq++) {
        writes.add(commit.store(List.of(group(id(test), seq))).toCompletableFuture());
      }
      long refused = writes.stream().filter(CompletableFuture::isCompletedExceptionally).count();
      blocker.rollback();
      blocker.setAutoCommit(true);
      assertTrue(refused >= 7, refused + " were refused");
      assertEquals(
          10 - refused, writes.stream().filter(JournalContractTest::succeeded).count());
      CompletionException failure =
          assertThrows(CompletionException.class, () -> writes.getLast().join());
      assertTrue(failure.getCause().getMessage().contains("More than 2 writes wait"));
    }
  }

  @Test
  void closing_stores_what_waits_and_refuses_what_comes_later(TestInfo test) {
    GroupCommit commit = new GroupCommit(database);
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      writes.add(commit.store(List.of(group(id(test) + i, 1))).toCompletableFuture());
    }
    commit.close();
    assertTrue(writes.stream().allMatch(w -> w.isDone() && succeeded(w)));
    assertTrue(
        commit.store(List.of(group(id(test), 1))).toCompletableFuture()
            .isCompletedExceptionally());
  }

  // -- readers beside the node ------------------------------------------------------------------

  @Test
  void a_reader_reads_the_same_events_from_any_point_and_stops_when_told(TestInfo test) {
    String id = tenEvents(test);
    EpisodeId episode = new EpisodeId(id.substring(id.indexOf('|') + 1));
    JournalReader reader = new JournalReader(database);
    List<Long> read = new ArrayList<>();
    assertTrue(
        reader.read(
            episode, 4,
            (sequence, event) -> {
              assertEquals(event(sequence), event);
              read.add(sequence);
              return sequence < 8;
            }));
    assertEquals(range(5, 8), read);
    assertEquals(false, reader.read(new EpisodeId("nobody"), 0, (sequence, event) -> true));
    assertEquals(
        range(3, 5),
        new StoredEvents(database).read(episode, 2, 3).toCompletableFuture().join().stream()
            .map(e -> e.sequence())
            .toList());
  }

  @Test
  void episodes_are_listed_newest_first_and_in_pages() {
    for (String id : List.of("zz1", "zz3", "zz2", "zzA", "zz_a")) {
      stored(write("ResearchEpisode|" + id, 1, 1));
    }
    stored(write("ResearchEpisodf|zz9", 1, 1));
    JournalReader reader = new JournalReader(database);
    List<EpisodeId> page = reader.episodes("", 3);
    assertEquals(List.of("zz_a", "zzA", "zz3"), page.stream().map(EpisodeId::value).toList());
    assertEquals(
        List.of("zz2", "zz1"),
        reader.episodes("zz3", 2).stream().map(EpisodeId::value).toList());
  }

  @Test
  void an_event_of_an_unknown_kind_is_named_and_explained() {
    try (GroupCommit commit = new GroupCommit(database)) {
      commit.store(
              List.of(
                  GroupCommit.Write.of(
                      "ResearchEpisode|future", 1,
                      List.of(new JournalFrames.Frame(72_301, "teleported.1", new byte[0])), List.of())))
          .toCompletableFuture().join();
    }
    UnknownKind unknown =
        assertThrows(
            UnknownKind.class,
            () -> new JournalReader(database).read(new EpisodeId("future"), 0, (s, e) -> true));
    assertTrue(unknown.getMessage().contains("teleported.1"));
    assertTrue(unknown.getMessage().contains("newer version"));
  }

  @Test
  void the_largest_write_of_an_episode_fits(TestInfo test) {
    try (GroupCommit commit = new GroupCommit(database)) {
      commit.store(
              List.of(
                  GroupCommit.Write.of(
                      id(test), 1,
                      List.of(new JournalFrames.Frame(1, "m", new byte[1_000_000])), List.of())))
          .toCompletableFuture().join();
    }
  }

  // -- the schema -------------------------------------------------------------------------------

  @Test
  void a_journal_that_a_newer_program_wrote_is_refused_and_left_alone() throws SQLException {
    sql("INSERT INTO schema_version VALUES (99)");
    try {
      JournalUnusable refused =
          assertThrows(JournalUnusable.class, () -> JournalDatabase.open(settings(9, 9)));
      assertTrue(refused.getMessage().contains("newer version"), refused.getMessage());
      assertTrue(refused.getMessage().contains("schema 99"), refused.getMessage());
    } finally {
      sql("DELETE FROM schema_version WHERE version = 99");
    }
  }

  @Test
  void a_schema_whose_making_was_interrupted_is_made_again() throws SQLException {
    sql("DELETE FROM schema_version");
    JournalDatabase.open(settings(9, 9)).close();
    JournalDatabase.open(settings(9, 9)).close();
  }

  private void sql(String text) throws SQLException {
    try (Connection c = database.reader();
        Statement statement = c.createStatement()) {
      statement.execute(text);
    }
  }
}
