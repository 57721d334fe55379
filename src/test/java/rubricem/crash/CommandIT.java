package rubricem.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.persistence.folder.DataFolder;
import rubricem.persistence.journal.DatabaseSettings;
import rubricem.persistence.journal.JournalDatabase;

/** The command line when something is in its way, and when it is interrupted. */
class CommandIT {
  private static final String MAIN = "rubricem.app.Main";
  private static final String PLAN =
      "<think>t</think><structured_plan><deep_analysis>d</deep_analysis><rubric>r</rubric>"
          + "<research_plan>p</research_plan></structured_plan>"
          + "<call_tool name=\\\"local_search\\\">tides</call_tool>";
  private static final String ANSWER =
      "<think>t</think><state_evaluation>s</state_evaluation><review><rubric_review>r"
          + "</rubric_review><writing_plan>w</writing_plan></review><answer>"
          + "<cite id=\\\"S_1\\\">The moon raises the tides.</cite></answer>";

  @TempDir static Path scratch;
  private static Jvm.Setting setting;
  private static Path corpus;

  @BeforeAll
  static void prepare() throws Exception {
    setting = Jvm.Setting.in(scratch);
    corpus = Files.createDirectory(scratch.resolve("docs"));
    Files.writeString(
        corpus.resolve("tides.txt"), "The moon raises the tides of the sea twice a day.");
  }

  private static Path script(long delayMillis) throws IOException {
    Path script = scratch.resolve("script.jsonl");
    Files.writeString(
        script,
        "{\"text\":\"" + PLAN + "\"}\n{\"text\":\"" + ANSWER + "\",\"delay_ms\":" + delayMillis
            + "}\n");
    return script;
  }

  private static Jvm ask(Path data, Path script, String... what) throws IOException {
    String[] args = new String[what.length + 7];
    args[0] = "ask";
    System.arraycopy(what, 0, args, 1, what.length);
    int at = what.length + 1;
    args[at++] = "--data-dir";
    args[at++] = data.toString();
    args[at++] = "--corpus";
    args[at++] = corpus.toString();
    args[at++] = "--policy";
    args[at] = "scripted:" + script;
    return Jvm.start(setting, scratch, MAIN, args);
  }

  private static String refused(Path data) throws Exception {
    Jvm ask = ask(data, script(0), "What raises the tides?");
    assertEquals(1, ask.end(), ask.err());
    assertEquals("", ask.out());
    String message = ask.err().strip();
    assertEquals(1, message.lines().count(), message);
    return message;
  }

  @Test
  void a_second_process_on_a_data_folder_is_told_so() throws Exception {
    Path data = scratch.resolve("shared");
    try (DataFolder held = DataFolder.lock(data)) {
      assertTrue(refused(held.path()).contains("Another RubricEM process"));
    }
  }

  @Test
  void a_data_folder_that_cannot_be_made_is_named() throws Exception {
    Path file = Files.writeString(scratch.resolve("in-the-way"), "x");
    assertTrue(refused(file).contains(file.toString()));
    assertTrue(refused(file.resolve("below")).contains("--data-dir"));
  }

  @Test
  void a_journal_that_a_newer_program_wrote_is_refused() throws Exception {
    Path data = Files.createDirectory(scratch.resolve("newer"));
    String url = "jdbc:h2:file:" + data.resolve("journal");
    JournalDatabase.open(new DatabaseSettings(url, "", "", 1, 1, 1)).close();
    try (Connection c = DriverManager.getConnection(url, "", "");
        Statement statement = c.createStatement()) {
      statement.execute("INSERT INTO schema_version VALUES (99)");
    }
    assertTrue(refused(data).contains("newer version"));
  }

  @Test
  void R16_an_interrupted_ask_is_gone_on_with_by_its_id() throws Exception {
    Path data = scratch.resolve("interrupted");
    Jvm first = ask(data, script(600_000), "What raises the tides?");
    Pattern line = Pattern.compile("episode (e[0-9a-z]{26})");
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (first.alive() && System.nanoTime() < until && !searched(first)) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    Matcher found = line.matcher(first.err());
    assertTrue(found.find(), first.err());
    String id = found.group(1);
    new ProcessBuilder("kill", "-INT", "" + first.pid()).start().waitFor();
    assertEquals(130, first.end(), first.err());
    assertTrue(first.err().contains("--resume " + id), first.err());
    Jvm second = ask(data, script(0), "--resume", id);
    assertEquals(0, second.end(), second.err());
    assertTrue(second.out().contains("The moon raises the tides."), second.out());
    assertFalse(second.err().contains("Exception"), second.err());
  }

  /** The first search is done: the second turn, which takes for ever, has begun. */
  private static boolean searched(Jvm ask) throws IOException {
    return Pattern.compile("[0-9]+ passages, [0-9]+ new").matcher(ask.err()).find();
  }
}
