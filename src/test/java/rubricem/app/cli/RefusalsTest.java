package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused is refused at once, in a few lines, with code 2, before anything is opened. */
class RefusalsTest {
  @TempDir Path scratch;
  private Path corpus;
  private Path data;

  record Refusal(int code, String said) {}

  @BeforeEach
  void documents() throws Exception {
    corpus = Files.createDirectory(scratch.resolve("docs"));
    Files.writeString(corpus.resolve("a.txt"), "The lamp is lit at sunset.");
    data = scratch.resolve("data");
  }

  private static Refusal run(List<String> args, byte[] input) {
    PrintStream err = System.err;
    InputStream in = System.in;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    System.setIn(new ByteArrayInputStream(input));
    try {
      int code = Rubricem.run(args.toArray(String[]::new));
      return new Refusal(code, said.toString(StandardCharsets.UTF_8).strip());
    } finally {
      System.setErr(err);
      System.setIn(in);
    }
  }

  private Refusal ask(String... args) {
    return ask(new byte[0], args);
  }

  private Refusal ask(byte[] input, String... args) {
    List<String> all = new ArrayList<>(List.of("ask"));
    all.addAll(List.of(args));
    all.addAll(List.of("--data-dir", data.toString()));
    return run(all, input);
  }

  private void assertRefused(Refusal refusal, String part) {
    assertEquals(2, refusal.code(), refusal.said());
    assertTrue(refusal.said().contains(part), refusal.said());
    assertTrue(refusal.said().length() < 400, refusal.said());
    assertFalse(refusal.said().contains("Exception"), refusal.said());
    assertFalse(Files.exists(data), "something was opened before it was refused");
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of("The question is empty", new String[] {""}),
        Arguments.of("The question is empty", new String[] {" \t\n"}),
        Arguments.of("The question is empty", new String[] {"\u0000\u001b\u0007"}),
        Arguments.of("more than 32768 characters", new String[] {"x".repeat(100_000)}),
        Arguments.of("extractive, openai:BASE_URL#MODEL", new String[] {"q", "--policy", "clever"}),
        Arguments.of("openai:BASE_URL#MODEL", new String[] {"q", "--policy", "openai:nowhere"}),
        Arguments.of("http:// or https://", new String[] {"q", "--policy", "openai:ftp://h/v1#m"}),
        Arguments.of("cannot be read", new String[] {"q", "--policy", "scripted:gone.jsonl"}),
        Arguments.of("exact_answer, short_form or long_form", new String[] {"q", "--format", "pdf"}),
        Arguments.of("at least 1", new String[] {"q", "--max-tool-calls", "-1"}),
        Arguments.of("at least 1", new String[] {"q", "--max-tool-calls", "0"}),
        Arguments.of("at least 1", new String[] {"q", "--max-seconds", "-5"}),
        Arguments.of("at least 1", new String[] {"q", "--max-tokens", "-5"}),
        Arguments.of("more than 0", new String[] {"q", "--max-cost-usd", "-0.1"}),
        Arguments.of("more than 0", new String[] {"q", "--max-cost-usd", "NaN"}),
        Arguments.of("not an int", new String[] {"q", "--max-tool-calls", "many"}),
        Arguments.of("not a long", new String[] {"q", "--seed", "9".repeat(30)}),
        Arguments.of("There is no file or folder", new String[] {"q", "--corpus", "gone"}),
        Arguments.of("is empty", new String[] {"q", "--corpus", ""}),
        Arguments.of("must end in", new String[] {"q", "--output", "report.docx"}),
        Arguments.of("Its folder must exist", new String[] {"q", "--output", "gone/report.md"}),
        Arguments.of("either a question or --resume", new String[] {"q", "--resume", "e1"}),
        Arguments.of("either a question or --resume", new String[] {}),
        Arguments.of("belongs in quotes", new String[] {"how", "tall", "is", "it"}),
        Arguments.of("cannot be read", new String[] {"q", "--config", "gone.conf"}),
        Arguments.of("Unknown option", new String[] {"q", "--colour"}));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void a_wrong_ask_is_refused_before_anything_is_opened(String part, String[] args) {
    assertRefused(ask(args), part);
  }

  static Stream<Arguments> misconfigured() {
    return Stream.of(
        Arguments.of(
            "rubricem.corpus.passage_words (FILE, line 2) is not known. Did you mean"
                + " rubricem.corpus.passage-words?",
            "rubricem {\n corpus { passage_words = 99 }\n}"),
        Arguments.of(
            "rubricem.pasage-words (FILE, line 1) is not known. Did you mean"
                + " rubricem.corpus.passage-words?",
            "rubricem.pasage-words = 99"),
        Arguments.of(
            "corpus.passage-words (FILE, line 1) is not known. Did you mean"
                + " rubricem.corpus.passage-words?",
            "corpus.passage-words = 99"),
        Arguments.of(
            "rubricem.server.foo (FILE, line 1) is not known. rubricem.server has host, mcp, port, "
                + "hosts, ",
            "rubricem.server.foo = 1"),
        Arguments.of(
            "rubricem.zyx.wvu (FILE, line 1) is not known. rubricem has ",
            "rubricem { zyx.wvu = 1 }"),
        Arguments.of(
            "rubricm.server.port (FILE, line 2) is not known. Did you mean"
                + " rubricem.server.port?",
            "# mine\nrubricm.server.port = 1"),
        Arguments.of(
            "peko.loglevel (FILE, line 1) is not known. Did you mean pekko.loglevel?",
            "peko.loglevel = INFO"),
        Arguments.of("words (FILE, line 1) is not known.", "words = 120"),
        Arguments.of(
            "pekko.loglevel (FILE, line 1) cannot be used: it must be one of",
            "pekko.loglevel = banana"),
        Arguments.of(
            "The configuration file includes \"gone.conf\", which is not there",
            "include \"gone.conf\""),
        Arguments.of("includes \"/gone.conf\"", "include \"/gone.conf\""),
        Arguments.of("includes \"/gone.conf\"", "include file(\"/gone.conf\")"),
        Arguments.of("includes \"/gone.conf\"", "include required(\"/gone.conf\")"),
        Arguments.of(
            "rubricem.corpus.passage-words (FILE, line 3) cannot be used",
            "rubricem {\n # many\n corpus { passage-words = many }\n}"),
        Arguments.of(
            "rubricem.openai.dialect (FILE, line 1) cannot be used", "rubricem.openai.dialect = X"),
        Arguments.of(
            "rubricem.openai.temperature (FILE, line 1) cannot be used",
            "rubricem.openai.temperature = warm"),
        Arguments.of(
            "rubricem.episode.policy-timeout (FILE, line 1) cannot be used",
            "rubricem.episode.policy-timeout = soon"),
        Arguments.of(
            "rubricem.database.connections (FILE, line 1) cannot be used",
            "rubricem.database.connections = [4]"),
        Arguments.of(
            "rubricem.corpus (FILE, line 1) cannot be used: it is a section",
            "rubricem.corpus = 3"),
        Arguments.of(
            "rubricem.corpus.files-max (FILE, line 1) cannot be used: it is no section",
            "rubricem.corpus.files-max.most = 3"));
  }

  @ParameterizedTest
  @MethodSource("misconfigured")
  void a_configuration_is_refused_by_key_file_and_line(String said, String text)
      throws Exception {
    Path file = Files.writeString(scratch.resolve("my.conf"), text);
    assertRefused(
        ask("q", "--corpus", corpus.toString(), "--config", file.toString()),
        said.replace("FILE", file.toString()));
  }

  @Test
  void a_configuration_may_set_what_is_known_and_what_belongs_to_others() throws Exception {
    Path included = Files.writeString(scratch.resolve("more.conf"), "rubricem.openai.stop = []");
    Path file =
        Files.writeString(
            scratch.resolve("good.conf"),
            "include \"" + included.getFileName() + "\"\n"
                + "rubricem.corpus.passage-words = 120\n"
                + "rubricem.episode.grace = ${rubricem.episode.finish-reserve-max}\n"
                + "rubricem.openai { temperature = 0.5, streaming = off }\n"
                + "rubricem.journal.circuit-breaker.call-timeout = 20 s\n"
                + "rubricem.journal.recovery-event-timeout = 20 s\n"
                + "pekko.loglevel = INFO\n");
    Refusal refusal = ask("q", "--corpus", "gone", "--config", file.toString());
    assertRefused(refusal, "There is no file or folder");
  }

  @Test
  void a_question_of_a_megabyte_on_standard_input_is_too_long() {
    byte[] much = "why ".repeat(250_000).getBytes(StandardCharsets.UTF_8);
    assertRefused(ask(much, "-", "--corpus", corpus.toString()), "more than 32768 characters");
    assertRefused(ask(new byte[1_000_000], "-", "--corpus", corpus.toString()), "is empty");
  }

  @Test
  void a_password_in_the_address_of_a_model_is_not_repeated() {
    Refusal refusal = ask("q", "--policy", "openai:http://me:hunter2@host/v1#m");
    assertRefused(refusal, "OPENAI_API_KEY");
    assertFalse(refusal.said().contains("hunter2"), refusal.said());
  }

  @Test
  void a_question_that_begins_with_an_at_sign_is_no_file_of_options() throws Exception {
    Path file = Files.writeString(scratch.resolve("options"), "--nonsense");
    assertRefused(ask("@" + file, "--corpus", "gone"), "There is no file or folder");
  }

  @Test
  void an_empty_data_folder_is_not_the_current_one() {
    Refusal refusal = run(List.of("ask", "q", "--data-dir", ""), new byte[0]);
    assertRefused(refusal, "--data-dir is empty");
  }

  @Test
  void without_documents_it_says_where_to_name_them() {
    Refusal refusal = ask("q");
    assertEquals(2, refusal.code());
    assertTrue(refusal.said().contains("--corpus PATH"), refusal.said());
    assertTrue(refusal.said().contains("index PATH"), refusal.said());
  }

  @Test
  void a_data_folder_that_cannot_be_made_is_named() throws Exception {
    Path file = Files.writeString(scratch.resolve("in the way"), "x");
    for (Path bad : List.of(file, file.resolve("below"))) {
      data = bad;
      Refusal refusal = ask("q", "--corpus", corpus.toString());
      assertEquals(1, refusal.code(), refusal.said());
      assertTrue(refusal.said().contains(bad + " cannot be made"), refusal.said());
      assertTrue(refusal.said().contains("--data-dir"), refusal.said());
    }
    assertEquals("x", Files.readString(file));
  }

  @Test
  void what_was_typed_cannot_steer_the_terminal() {
    for (String[] args :
        List.of(
            new String[] {"q", "--corpus", "gone\u001b]0;x\u0007"},
            new String[] {"q", "--policy", "\u001b[2J"}, new String[] {"q", "\u009b31mz"})) {
      Refusal refusal = ask(args);
      assertEquals(2, refusal.code());
      assertTrue(
          refusal.said().chars().noneMatch(c -> c != '\n' && Character.isISOControl(c)),
          refusal.said());
    }
  }

  @Test
  void other_commands_refuse_what_is_not_there() {
    Refusal unknown = run(List.of("aks"), new byte[0]);
    assertRefused(unknown, "There is no command \"aks\"");
    String folder = data.toString();
    assertRefused(run(List.of("replay", "e1", "--data-dir", folder), new byte[0]), "no episodes");
    assertRefused(run(List.of("episodes", "--data-dir", folder), new byte[0]), "no episodes");
    assertRefused(
        run(List.of("index", "gone", "--data-dir", folder), new byte[0]), "no file or folder");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ask", "serve", "index", "mcp"})
  void R44_no_command_begins_on_a_disk_without_room(String command) throws Exception {
    Path config =
        Files.writeString(
            scratch.resolve("room.conf"), "rubricem.storage.room-bytes-min = 1000000000000000");
    List<String> args =
        new ArrayList<>(
            List.of(command, "--config", config.toString(), "--data-dir", data.toString()));
    args.addAll(
        switch (command) {
          case "ask" -> List.of("When is the lamp lit?", "--corpus", corpus.toString());
          case "index" -> List.of(corpus.toString());
          default -> List.of("--corpus", corpus.toString());
        });
    Refusal refusal = run(args, new byte[0]);
    assertEquals(1, refusal.code(), refusal.said());
    assertTrue(refusal.said().contains("no room left on the disk of " + data), refusal.said());
    assertTrue(refusal.said().contains("953674317 MB have to be"), refusal.said());
    assertTrue(refusal.said().contains("rubricem.storage.room-bytes-min"), refusal.said());
    assertFalse(Files.exists(data.resolve("journal.db")));
  }
}
