package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.ConfigFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.actors.episode.EpisodeDecider;
import rubricem.actors.episode.EpisodeInput;
import rubricem.actors.episode.EpisodeSettings;
import rubricem.app.node.NodeSettings;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.journal.DatabaseSettings;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.JournalReader;
import rubricem.persistence.journal.JournalUnusable;
import rubricem.persistence.journal.JournalWriter;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.persistence.serialization.UnknownKind;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.report.SupportScore;
import rubricem.protocol.report.SupportState;
import rubricem.protocol.scaffold.FormatLabel;

/** What {@code replay} prints of an episode that was decided by the real decider. */
class ReplayTest {
  private static final EpisodeId ID = new EpisodeId("e01replay000000000000000aa");
  private static final Instant BEGIN = Instant.parse("2026-03-01T10:00:00.100Z");
  private static final EpisodeSettings SETTINGS =
      NodeSettings.of(ConfigFactory.load()).episode();

  @TempDir private Path folder;
  private JournalDatabase database;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void open() {
    database =
        JournalDatabase.open(new DatabaseSettings(url(), "", "", 2, 100, 10));
  }

  @AfterEach
  void close() {
    database.close();
  }

  private String url() {
    return "jdbc:sqlite:" + folder.resolve("journal.db").toUri();
  }

  private Replay replay(boolean json) {
    Console console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8), false, false);
    return new Replay(console, json, new JournalReader(database));
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private void store(EpisodeId id, List<EpisodeEvent> events) {
    try (JournalWriter writer = new JournalWriter(database)) {
      writer.store(id, 1, events).toCompletableFuture().join();
    }
  }

  static List<EpisodeEvent> episode() {
    EpisodeDecider decider = new EpisodeDecider(SETTINGS);
    EpisodeRequest request =
        new EpisodeRequest(
            "When does the tide turn?", FormatLabel.LONG_FORM, "scripted:tides", List.of("corpus"),
            List.of("/documents"), new EpisodeLimits(10, 600, 100_000, 0), 0, Map.of());
    Passage passage =
        new Passage(
            "tides.md", "Tides", "file:///documents/tides.md", "page 1", 0, 40,
            "The tide turns twice a day.\u001b]0;owned\u0007", 0.5, Optional.empty());
    SupportScore score =
        new SupportScore(
            SupportState.SUPPORTED, "The tide turns twice a day.", 1, Optional.of(0.9), List.of(),
            false);
    List<EpisodeInput> inputs =
        List.of(
            new EpisodeInput.Start(
                ID, request, new PromptRef("agent-v1", "ab".repeat(32)),
                new PromptRef("format-v1", "cd".repeat(32)), List.of("local_search"),
                new Searched(2, 3, List.of("old.pdf: encrypted"))),
            generated(
                1,
                "<think>first the\n tides \u001b[2J</think><structured_plan><deep_analysis>d"
                    + "</deep_analysis><rubric>- when</rubric><research_plan>search"
                    + "</research_plan></structured_plan><call_tool name=\"local_search\""
                    + " limit=\"4\">turn of the tide</call_tool>"),
            new EpisodeInput.ToolFinished(
                CallId.parse(ID + "/2"),
                new ToolOutcome.Found(
                    List.of(passage), new Searched(2, 3, List.of()), List.of())),
            generated(
                3,
                "<think>enough</think><state_evaluation>met</state_evaluation><review>"
                    + "<rubric_review>met</rubric_review><writing_plan>one</writing_plan></review>"
                    + "<answer><cite id=\"S_1\">The tide turns twice a day.</cite></answer>"),
            new EpisodeInput.CitationsScored(
                CallId.parse(ID + "/4"), List.of(new ClaimVerdict(0, "S_1", score))));
    List<EpisodeEvent> events = new ArrayList<>();
    EpisodeState state = EpisodeState.EMPTY;
    for (int i = 0; i < inputs.size(); i++) {
      for (EpisodeEvent event :
          decider.decide(state, inputs.get(i), BEGIN.plusMillis(1_250L * i))) {
        events.add(event);
        state = EpisodeFold.apply(state, event);
      }
    }
    return events;
  }

  private static EpisodeInput generated(int call, String text) {
    return new EpisodeInput.PolicyFinished(
        CallId.parse(ID + "/" + call),
        new PolicyOutcome.Generated(
            text, Optional.empty(), FinishReason.STOP, new TokenUsage(800, 60, 0.0125), "m-1"));
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = ReplayTest.class.getResourceAsStream("/golden/replay/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void one_line_an_event() throws IOException {
    store(ID, episode());
    replay(false).events(ID);
    assertEquals(golden("lines.txt"), printed());
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("completed (answered) after 5.00 s"));
  }

  @Test
  void whole_texts_that_cannot_steer_a_terminal() throws IOException {
    store(ID, episode());
    replay(false).full(ID);
    assertEquals(golden("full.txt"), printed());
    assertTrue(printed().chars().noneMatch(c -> c < ' ' && c != '\n'));
  }

  @Test
  void the_state_after_an_event() throws IOException {
    store(ID, episode());
    replay(false).until(ID, 4);
    assertEquals(golden("until-4.txt"), printed());
  }

  @Test
  void the_state_as_json_says_what_it_waits_for() throws JsonProcessingException {
    store(ID, episode());
    replay(true).until(ID, 4);
    JsonNode state = DurableFormat.json().readTree(printed());
    assertEquals(4, state.get("after_event").asInt());
    assertEquals("tool", state.at("/pending_call/waits_for").asText());
    assertEquals("turn of the tide", state.at("/pending_call/call/query").asText());
    assertEquals("called", state.at("/turns/0/reply").asText());
    assertEquals("running", state.get("status").asText());
  }

  @Test
  void a_number_out_of_range_is_refused_with_the_range() {
    store(ID, episode());
    for (long n : new long[] {0, -1, 11}) {
      Failure e = assertThrows(Failure.class, () -> replay(false).until(ID, n));
      assertEquals(Failure.USAGE, e.code());
      assertTrue(e.getMessage().contains("from 1 to 10"), e.getMessage());
    }
  }

  @Test
  void one_json_object_an_event_and_nothing_else() throws JsonProcessingException {
    List<EpisodeEvent> events = episode();
    store(ID, events);
    replay(true).events(ID);
    List<String> lines = printed().lines().toList();
    assertEquals(events.size(), lines.size());
    for (int i = 0; i < lines.size(); i++) {
      JsonNode expected =
          DurableFormat.json().readTree(DurableFormat.json(i + 1, events.get(i)).toString());
      assertEquals(expected, DurableFormat.json().readTree(lines.get(i)));
    }
    assertEquals("", err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void an_unchanged_journal_is_decided_again() {
    store(ID, episode());
    assertEquals(0, replay(false).check(ID, SETTINGS));
    assertEquals(
        ID + ": 10 events in 5 decisions, all as today's code decides them.\n", printed());
  }

  @Test
  void an_altered_event_is_named() throws JsonProcessingException {
    List<EpisodeEvent> events = new ArrayList<>(episode());
    var asked = (EpisodeEvent.PolicyCallRequested) events.get(5);
    events.set(
        5,
        new EpisodeEvent.PolicyCallRequested(
            asked.at(), asked.callId(), 7, asked.prompt(), asked.leftOut()));
    store(ID, events);
    assertEquals(Failure.WORK_FAILED, replay(false).check(ID, SETTINGS));
    String said = printed();
    assertTrue(
        said.contains("event 6 is not what today's code decides on \"tool finished\""), said);
    assertTrue(said.contains("attempt stored:  7") && said.contains("decided: 1"), said);
    assertTrue(said.contains("--config"), said);
    out.reset();
    replay(true).check(ID, SETTINGS);
    assertEquals(
        6, DurableFormat.json().readTree(printed()).at("/divergence/event").asInt());
  }

  private EpisodeId found(String given) {
    return GivenId.find(new JournalReader(database), given);
  }

  @Test
  void an_id_may_be_shortened_while_only_one_fits() {
    EpisodeId other = new EpisodeId("e01replay000000000000000bb");
    store(ID, episode());
    store(other, episode());
    assertEquals(ID, found(ID.value()));
    assertEquals(other, found("e01replay000000000000000b"));
    Failure several = assertThrows(Failure.class, () -> found("e01"));
    assertTrue(several.getMessage().contains(ID.value()), several.getMessage());
    Failure none = assertThrows(Failure.class, () -> found("e02"));
    assertEquals(Failure.USAGE, none.code());
    assertTrue(none.getMessage().contains("./rubricem episodes"), none.getMessage());
    assertThrows(Failure.class, () -> found(" "));
  }

  @Test
  void a_kind_of_a_newer_program_stops_it() throws SQLException {
    store(ID, episode());
    alter("UPDATE journal SET payload = ?", newer());
    UnknownKind e = assertThrows(UnknownKind.class, () -> replay(false).events(ID));
    assertTrue(e.getMessage().contains("dreamt.1"), e.getMessage());
  }

  @Test
  void a_journal_of_a_newer_schema_is_refused() throws SQLException {
    alter("INSERT INTO schema_version VALUES (99)", new byte[0]);
    JournalUnusable e =
        assertThrows(
            JournalUnusable.class,
            () -> JournalDatabase.open(new DatabaseSettings(url(), "", "", 1, 10, 10)));
    assertTrue(e.getMessage().contains("schema 99"), e.getMessage());
  }

  /** One event under a name that is not known: frame version, serializer, name, payload. */
  private static byte[] newer() {
    byte[] name = "dreamt.1".getBytes(StandardCharsets.UTF_8);
    byte[] frame = new byte[name.length + 7];
    int zigzag = 2 * rubricem.persistence.serialization.DurableSerializer.IDENTIFIER;
    frame[0] = 1;
    frame[1] = (byte) (zigzag | 0x80);
    frame[2] = (byte) (zigzag >> 7 | 0x80);
    frame[3] = (byte) (zigzag >> 14);
    frame[4] = (byte) name.length;
    System.arraycopy(name, 0, frame, 5, name.length);
    frame[name.length + 5] = 1;
    return frame;
  }

  private void alter(String sql, byte[] value) throws SQLException {
    try (Connection c = DriverManager.getConnection(url(), "", "");
        PreparedStatement statement = c.prepareStatement(sql)) {
      if (value.length > 0) {
        statement.setBytes(1, value);
      }
      statement.executeUpdate();
    }
  }
}
