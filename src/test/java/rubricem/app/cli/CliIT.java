package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.text.PDFTextStripper;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.http.fake.FakeModelServer;
import rubricem.http.fake.FakeScript;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Ended;

/** The program from outside: what its streams, files and exit codes are to a user or a script. */
class CliIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern NUMBER = Pattern.compile("\\[([0-9]+)]");

  /** The episode object of the contract, §2: every name, in its order. */
  private static final List<String> FIELDS =
      List.of(
          "id", "status", "outcome", "stage", "question", "format", "policy", "plan", "review",
          "answer", "citations", "citation_check", "sources", "searched", "usage", "limits",
          "error", "created_at", "started_at", "ended_at", "event_count");

  /** One archive of classes and one set of documents serve all. */
  @TempDir static Path scratch;

  private Path corpus;
  private Program program;

  @BeforeEach
  void documents() throws IOException {
    program = Program.in(scratch);
    corpus = Files.createDirectories(scratch.resolve("my documents"));
    Files.writeString(
        corpus.resolve("tower notes.md"),
        """
        # Lighthouse

        ## Lamp
        The wick of the lamp is trimmed every four hours.

        ## Horn
        In fog the horn is sounded twice a minute.
        """);
  }

  private static JsonNode json(Ended ended) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    try (var values = JSON.readerFor(JsonNode.class).<JsonNode>readValues(ended.out())) {
      values.forEachRemaining(all::add);
    }
    assertEquals(1, all.size(), ended.out());
    return all.getFirst();
  }

  @Test
  void json_is_one_object_with_the_fields_of_the_contract_and_quiet_says_nothing()
      throws Exception {
    Path elsewhere = Files.createDirectory(scratch.resolve("some where"));
    byte[] question = "How often is the \u200fwick\u202e trimmed?\u0000\u001b\u0007".getBytes(
        StandardCharsets.UTF_8);
    byte[] broken = new byte[question.length + 4];
    System.arraycopy(question, 0, broken, 0, question.length);
    // a lone surrogate and a byte that no UTF-8 text holds
    System.arraycopy(
        new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80, (byte) 0xff}, 0, broken,
        question.length, 4);
    Ended ended =
        program.with("LC_ALL", "C").from(elsewhere)
            .fed(broken, "ask", "-", "--corpus", "../my documents", "--data-dir", "its data",
                "--json", "--quiet");
    assertEquals("", ended.err());
    assertEquals(0, ended.code(), ended.out());
    JsonNode episode = json(ended);
    for (String field : FIELDS) {
      assertTrue(episode.has(field), field);
    }
    assertEquals("completed", episode.get("status").asText());
    assertEquals("answered", episode.get("outcome").asText());
    assertTrue(episode.get("error").isNull());
    assertTrue(episode.get("event_count").isIntegralNumber());
    names(episode.get("policy"), "spec", "version");
    names(episode.get("answer"), "text", "markdown");
    names(episode.get("citation_check"), "cited", "checked", "supported", "removed");
    names(
        episode.get("citations").get(0), "number", "snippet_id", "claim", "quote", "title", "url",
        "document", "state");
    names(episode.get("sources").get(0), "snippet_id", "title", "url", "tool", "call_id");
    names(episode.get("searched"), "documents", "documents_total", "unreadable");
    names(
        episode.get("usage"), "model_calls", "tool_calls", "prompt_tokens", "completion_tokens",
        "cost_usd", "repeated_calls");
    names(episode.get("limits"), "tool_calls", "seconds", "tokens", "cost_usd");
    String asked = episode.get("question").asText();
    assertTrue(asked.contains("wick") && asked.endsWith("\ufffd"), asked);
    assertTrue(asked.chars().noneMatch(Character::isISOControl), asked);
    assertTrue(Files.isDirectory(elsewhere.resolve("its data")), "made where it was named");
  }

  private static void names(JsonNode node, String... names) {
    for (String name : names) {
      assertTrue(node.hasNonNull(name), name + " in " + node);
    }
  }

  @Test
  void every_form_of_a_report_has_the_same_numbers() throws Exception {
    Path data = scratch.resolve("forms");
    Path markdown = scratch.resolve("report one.md");
    Ended ended =
        program.run(
            "ask", "How often is the wick of the lamp trimmed?", "--corpus", corpus.toString(),
            "--data-dir", data.toString(), "--output", markdown.toString());
    assertEquals(0, ended.code(), ended.err());
    assertEquals(Files.readString(markdown), ended.out());
    String id = idIn(ended.err());
    for (String ending : List.of("html", "pdf", "json")) {
      Ended again =
          program.run(
              "ask", "--resume", id, "--data-dir", data.toString(), "--output",
              scratch.resolve("report." + ending).toString());
      assertEquals(0, again.code(), again.err());
      assertEquals(ended.out(), again.out());
    }
    JsonNode episode = JSON.readTree(scratch.resolve("report.json").toFile());
    String answer = episode.get("answer").get("markdown").asText();
    List<Integer> numbers = new ArrayList<>();
    episode.get("citations").forEach(c -> numbers.add(c.get("number").asInt()));
    assertFalse(numbers.isEmpty());
    assertEquals(numbers, numbers(answer));
    assertTrue(ended.out().contains(answer), ended.out());
    assertEquals(
        numbers,
        Jsoup.parse(scratch.resolve("report.html")).select("a.mark").eachText().stream()
            .flatMap(t -> numbers(t).stream()).toList());
    try (PDDocument pdf = Loader.loadPDF(scratch.resolve("report.pdf").toFile())) {
      assertEquals(
          new TreeSet<>(numbers), new TreeSet<>(numbers(new PDFTextStripper().getText(pdf))));
    }
  }

  private static String idIn(String said) {
    var found = Pattern.compile("episode (e[0-9a-z]{26})").matcher(said);
    assertTrue(found.find(), said);
    return found.group(1);
  }

  private static List<Integer> numbers(String text) {
    return NUMBER.matcher(text).results().map(r -> Integer.valueOf(r.group(1))).toList();
  }

  @Test
  void a_model_server_is_asked_with_the_key_and_the_key_is_kept_nowhere() throws Exception {
    String key = "sk-marker-7391-never-written";
    Path data = scratch.resolve("keyed");
    try (FakeModelServer server = FakeModelServer.start(0, FakeScript.researcher())) {
      Ended ended =
          program.with("OPENAI_API_KEY", key)
              .run(
                  "ask", "How often is the wick of the lamp trimmed?", "--corpus",
                  corpus.toString(), "--data-dir", data.toString(), "--policy",
                  "openai:" + server.baseUrl() + "#fake");
      assertEquals(0, ended.code(), ended.err());
      assertTrue(ended.out().contains("every four hours"), ended.out());
      assertFalse(server.requests().isEmpty());
      assertFalse((ended.out() + ended.err()).contains(key));
    }
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertFalse(bytes.contains(key), file.toString());
      }
    }
  }

  @Test
  void a_model_server_that_is_not_there_is_named_and_soon_given_up() throws Exception {
    Ended ended =
        program.run(
            "ask", "How often is the wick trimmed?", "--corpus", corpus.toString(), "--data-dir",
            scratch.resolve("dead").toString(), "--policy", "openai:http://127.0.0.1:1/v1#m");
    assertEquals(1, ended.code(), ended.err());
    String first =
        ended.err().lines().filter(l -> l.contains("policy failed")).findFirst().orElseThrow();
    assertTrue(first.contains("http://127.0.0.1:1 cannot be reached: nothing accepts"), first);
    assertTrue(first.matches(".*tried again until about \\d\\d:\\d\\d:\\d\\d"), first);
    assertTrue(ended.err().contains("attempt 4"), ended.err());
    assertFalse(ended.err().contains("attempt 5"), ended.err());
    String last = ended.err().lines().toList().getLast();
    assertTrue(last.contains("http://127.0.0.1:1 cannot be reached"), last);
    assertTrue(
        last.contains("./rubricem doctor --policy 'openai:http://127.0.0.1:1/v1#m'"), last);
    assertTrue(last.contains("ask --resume e"), last);
    assertTrue(last.contains(" --data-dir " + scratch.resolve("dead")), last);
  }

  @Test
  void a_report_that_nobody_takes_is_said_in_one_line_and_kept() throws Exception {
    Path data = scratch.resolve("unheard");
    Ended ended =
        program.unheard(
            "ask", "How often is the wick of the lamp trimmed?", "--corpus", corpus.toString(),
            "--data-dir", data.toString(), "--quiet");
    assertEquals(1, ended.code(), ended.err());
    assertEquals(1, ended.err().lines().count(), ended.err());
    assertTrue(ended.err().contains("Standard output could not be written"), ended.err());
    Ended list = program.run("episodes", "--data-dir", data.toString());
    assertTrue(list.out().contains(" completed "), list.out());
    Ended cut = program.unheard("episodes", "--data-dir", data.toString());
    assertEquals(1, cut.code(), cut.err());
    assertEquals(1, cut.err().lines().count(), cut.err());
  }

  @Test
  void R41_documents_that_cannot_be_read_are_named_with_their_reasons() throws Exception {
    Path closed = Files.createDirectory(scratch.resolve("closed"));
    Files.createFile(closed.resolve("nothing.txt"));
    Files.write(closed.resolve("scan.pdf"), pdf(false));
    Files.write(closed.resolve("locked.pdf"), pdf(true));
    Files.write(closed.resolve("half.docx"), new byte[] {'P', 'K', 3, 4, 20, 0});
    Files.write(closed.resolve("\u001b[2J\u0007odd.txt"), new byte[0]);
    Ended ended =
        program.run(
            "ask", "What is in here?", "--corpus", closed.toString(), "--data-dir",
            scratch.resolve("unread").toString());
    assertEquals(1, ended.code(), ended.err());
    assertEquals("", ended.out());
    assertTrue(ended.err().contains("No document could be read"), ended.err());
    for (String name :
        List.of("nothing.txt: empty", "scan.pdf: ", "locked.pdf: encrypted", "half.docx: ")) {
      assertTrue(ended.err().contains(name), name + " in " + ended.err());
    }
    assertTrue(
        ended.err().chars().noneMatch(c -> c != '\n' && Character.isISOControl(c)), ended.err());
  }

  private static byte[] pdf(boolean locked) throws IOException {
    try (PDDocument document = new PDDocument();
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      document.addPage(new PDPage());
      if (locked) {
        document.protect(new StandardProtectionPolicy("owner", "user", new AccessPermission()));
      }
      document.save(out);
      return out.toByteArray();
    }
  }

  @Test
  void text_from_documents_cannot_steer_the_terminal() throws Exception {
    Path hostile = Files.createDirectory(scratch.resolve("hostile"));
    Files.writeString(
        hostile.resolve("a.md"),
        "# The \u001b]0;title\u0007 wick\u202e\n\nThe wick \u001b[31mis\u009b2J trimmed every four"
            + " hours.\n");
    Ended ended =
        program.run(
            "ask", "How often is the \u001b[5mwick trimmed?", "--corpus", hostile.toString(),
            "--data-dir", scratch.resolve("hostile data").toString());
    assertEquals(0, ended.code(), ended.err());
    String shown = ended.out() + ended.err();
    assertTrue(shown.contains("every four hours"), shown);
    assertTrue(
        shown.chars().noneMatch(
            c -> c != '\n' && Character.isISOControl(c) || c >= 0x202a && c <= 0x202e),
        shown);
  }

  @Test
  void R01_nothing_found_is_said_with_code_3_and_nothing_is_cited() throws Exception {
    Ended ended =
        program.run(
            "ask", "Which enzyme unwinds mitochondrial plasmids?", "--corpus", corpus.toString(),
            "--data-dir", scratch.resolve("nothing").toString(), "--json", "--quiet");
    assertEquals(3, ended.code(), ended.err());
    JsonNode episode = json(ended);
    assertEquals("no_evidence", episode.get("outcome").asText());
    assertEquals(0, episode.get("citations").size());
    assertEquals(List.of(), numbers(episode.get("answer").get("markdown").asText()));
  }

  @Test
  void an_include_is_looked_for_beside_a_file_that_is_named_without_its_folder()
      throws Exception {
    Files.writeString(scratch.resolve("own.conf"), "include \"more.conf\"");
    Files.writeString(scratch.resolve("more.conf"), "rubricem.server.port = -1");
    Ended ended = program.run("episodes", "--config", "own.conf");
    assertEquals(2, ended.code(), ended.err());
    assertTrue(ended.err().contains("more.conf, line 1) cannot be used"), ended.err());
  }
}
