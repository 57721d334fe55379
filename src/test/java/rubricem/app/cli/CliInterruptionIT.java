package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Ended;
import rubricem.testkit.Program.Running;

/** Ctrl-C, kill -9, two processes at once and a journal of a newer program, from outside. */
class CliInterruptionIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String QUESTION = "What raises the tides?";
  private static final String PLAN =
      "<think>t</think><structured_plan><deep_analysis>d</deep_analysis><rubric>r</rubric>"
          + "<research_plan>p</research_plan></structured_plan>"
          + "<call_tool name=\"local_search\">tides</call_tool>";
  private static final String ANSWER =
      "<think>t</think><state_evaluation>s</state_evaluation><review><rubric_review>r"
          + "</rubric_review><writing_plan>w</writing_plan></review><answer>"
          + "<cite id=\"S_1\">The moon raises the tides.</cite></answer>";
  private static final long FOR_EVER = 600_000;

  @TempDir static Path scratch;

  private Program program;
  private Path corpus;
  private Path script;

  @BeforeEach
  void documents() throws IOException {
    program = Program.in(scratch);
    corpus = Files.createDirectories(scratch.resolve("docs"));
    Files.writeString(corpus.resolve("tides.txt"), "The moon raises the tides of the sea.");
    script = scratch.resolve("script.jsonl");
  }

  /** Plan and search at once, then the answer after {@code delayMillis}. */
  private void play(long delayMillis) throws IOException {
    Files.writeString(
        script,
        JSON.writeValueAsString(Map.of("text", PLAN)) + "\n"
            + JSON.writeValueAsString(Map.of("text", ANSWER, "delay_ms", delayMillis)) + "\n");
  }

  private String[] ask(Path data, String... what) {
    List<String> args = new ArrayList<>(List.of("ask"));
    args.addAll(List.of(what));
    args.addAll(
        List.of(
            "--corpus", corpus.toString(), "--policy", "scripted:" + script, "--data-dir",
            data.toString()));
    return args.toArray(String[]::new);
  }

  private static String idIn(String said) {
    Matcher found = Pattern.compile("episode (e[0-9a-z]{26})").matcher(said);
    assertTrue(found.find(), said);
    return found.group(1);
  }

  @Test
  void R16_an_episode_survives_a_second_process_an_interruption_and_a_kill() throws Exception {
    Path data = scratch.resolve("survives");
    play(FOR_EVER);
    Running first = program.start(ask(data, QUESTION));
    first.awaitSaid("1 passage, 1 new");
    String id = idIn(Files.readString(first.err()));
    Ended second = program.run(ask(data, QUESTION));
    assertEquals(1, second.code(), second.err());
    assertTrue(second.err().contains("Another RubricEM process"), second.err());
    assertEquals(1, second.err().lines().count(), second.err());
    assertTrue(first.process().isAlive());

    Ended interrupted = first.interrupt();
    assertEquals(130, interrupted.code(), interrupted.err());
    assertEquals("", interrupted.out());
    assertTrue(
        interrupted.err().contains("./rubricem ask --resume " + id + " --data-dir " + data),
        interrupted.err());

    Running third = program.start(ask(data, "--resume", id));
    third.awaitSaid("taken up again");
    Ended killed = third.kill();
    assertNotEquals(0, killed.code());

    play(0);
    Ended same = program.run(ask(data, QUESTION));
    assertEquals(0, same.code(), same.err());
    assertTrue(same.err().contains("going on with episode " + id), same.err());
    assertTrue(same.out().contains("The moon raises the tides. [1]"), same.out());
    finishedCallsWereMadeOnce(data, id);
    anUnknownEventIsSaid(data, id);
  }

  private void finishedCallsWereMadeOnce(Path data, String id) throws Exception {
    Ended replay = program.run("replay", id, "--json", "--data-dir", data.toString());
    assertEquals(0, replay.code(), replay.err());
    Map<String, Long> kinds =
        replay.out().lines().map(CliInterruptionIT::kind)
            .collect(Collectors.groupingBy(k -> k, Collectors.counting()));
    assertEquals(1, kinds.get("episode_started"), kinds.toString());
    assertEquals(2, kinds.get("policy_turn_generated"), kinds.toString());
    assertEquals(1, kinds.get("tool_call_requested"), kinds.toString());
    assertEquals(1, kinds.get("tool_call_completed"), kinds.toString());
    assertEquals(2, kinds.get("call_repeated"), kinds.toString());
  }

  private static String kind(String line) {
    try {
      JsonNode event = JSON.readTree(line);
      return event.get("kind").asText();
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
  }

  /** As if a newer program had written it: others are listed, this one is left as it is. */
  private void anUnknownEventIsSaid(Path data, String id) throws Exception {
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("journal.db").toUri())) {
      int changed = 0;
      try (Statement all = c.createStatement();
          ResultSet rows = all.executeQuery("SELECT ordering, payload FROM journal")) {
        while (rows.next()) {
          String bytes = new String(rows.getBytes(2), StandardCharsets.ISO_8859_1);
          // a small write of its own, which is stored as it is
          if (bytes.contains("call_repeated")) {
            changed += rename(c, rows.getLong(1), bytes);
          }
        }
      }
      assertEquals(2, changed, "the event to rename was not found");
    }
    for (String[] args :
        List.of(
            new String[] {"replay", id, "--data-dir", data.toString()},
            new String[] {"ask", "--resume", id, "--data-dir", data.toString()})) {
      Ended ended = program.run(args);
      assertEquals(1, ended.code(), ended.err());
      assertTrue(ended.err().contains("\"call_telepath"), ended.err());
      assertTrue(ended.err().contains("newer version"), ended.err());
    }
    Ended list = program.run("episodes", "--data-dir", data.toString());
    assertEquals(0, list.code(), list.err());
    assertTrue(list.err().contains(id), list.err());
    // it is in nobody's way
    Ended other = program.run(ask(data, "What else raises the tides?"));
    assertEquals(0, other.code(), other.err());
  }

  private static int rename(Connection c, long ordering, String bytes) throws Exception {
    try (PreparedStatement update =
        c.prepareStatement("UPDATE journal SET payload = ? WHERE ordering = ?")) {
      String renamed = bytes.replace("call_repeated", "call_telepath");
      update.setBytes(1, renamed.getBytes(StandardCharsets.ISO_8859_1));
      update.setLong(2, ordering);
      return update.executeUpdate();
    }
  }

  @Test
  void an_episode_whose_process_was_killed_is_listed_as_interrupted() throws Exception {
    Path data = scratch.resolve("killed");
    play(FOR_EVER);
    Running asking = program.start(ask(data, QUESTION));
    asking.awaitSaid("1 passage, 1 new");
    String id = idIn(Files.readString(asking.err()));
    assertEquals("running", listed(data, id));
    asking.kill();
    assertEquals("interrupted", listed(data, id));
    play(0);
    assertEquals(0, program.run(ask(data, "--resume", id)).code());
    assertEquals("completed", listed(data, id));
  }

  private String listed(Path data, String id) throws Exception {
    Ended ended = program.run("episodes", "--data-dir", data.toString());
    assertEquals(0, ended.code(), ended.err());
    String line =
        ended.out().lines().filter(l -> l.startsWith(id)).findFirst().orElse(ended.out());
    // the id, a date, a time
    return line.split(" +")[3];
  }

  @Test
  void a_journal_of_a_newer_program_is_refused_by_every_command() throws Exception {
    Path data = Files.createDirectory(scratch.resolve("newer"));
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("journal.db").toUri());
        Statement statement = c.createStatement()) {
      statement.execute("CREATE TABLE schema_version (version INT NOT NULL PRIMARY KEY)");
      statement.execute("INSERT INTO schema_version VALUES (99)");
    }
    play(0);
    for (String[] args :
        List.of(
            ask(data, QUESTION), new String[] {"episodes", "--data-dir", data.toString()})) {
      Ended ended = program.run(args);
      assertEquals(1, ended.code(), ended.err());
      assertEquals("", ended.out());
      assertTrue(ended.err().contains("newer version"), ended.err());
      assertTrue(ended.err().contains("schema 99"), ended.err());
    }
  }

  @Test
  void an_episode_that_is_not_there_is_wrong_usage() throws Exception {
    Path data = scratch.resolve("other");
    play(0);
    assertEquals(0, program.run(ask(data, QUESTION)).code());
    for (String[] args :
        List.of(
            ask(data, "--resume", "enone"),
            new String[] {"replay", "enone", "--data-dir", data.toString()})) {
      Ended ended = program.run(args);
      assertEquals(2, ended.code(), ended.err());
      assertTrue(ended.err().contains("There is no episode enone"), ended.err());
    }
  }

  @Test
  void an_episode_is_resumed_by_a_beginning_of_its_id_that_no_other_has() throws Exception {
    Path data = scratch.resolve("shortened");
    play(0);
    String first = idIn(program.run(ask(data, QUESTION)).err());
    Ended one = program.run(ask(data, "--resume", first.substring(0, 4)));
    assertEquals(0, one.code(), one.err());
    assertTrue(one.out().contains("The moon raises the tides. [1]"), one.out());
    play(0);
    String second = idIn(program.run(ask(data, QUESTION + " Really?")).err());
    Ended several = program.run(ask(data, "--resume", "e0"));
    assertEquals(2, several.code(), several.err());
    assertTrue(several.err().contains(first) && several.err().contains(second), several.err());
    Ended whole = program.run(ask(data, "--resume", second));
    assertEquals(0, whole.code(), whole.err());
  }
}
