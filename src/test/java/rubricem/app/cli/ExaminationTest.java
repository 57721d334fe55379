package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.app.node.Embedding;
import rubricem.app.node.NodeSettings;
import rubricem.http.fake.FakeModelServer;
import rubricem.http.fake.FakeScript;
import rubricem.http.llm.Secret;
import rubricem.persistence.folder.DataFolder;

class ExaminationTest {
  @TempDir private Path temp;

  private Examination of(Path folder, Embedding embedding) {
    Config config =
        ConfigFactory.load()
            .withValue(
                "rubricem.data-dir", ConfigValueFactory.fromAnyRef(folder.toString()));
    return new Examination(NodeSettings.of(config), config, embedding);
  }

  @Test
  void a_fresh_folder_is_fine_and_stays_unmade() throws IOException {
    Path folder = temp.resolve("data");
    try (Embedding embedding = new Embedding(16)) {
      Examination examination = of(folder, embedding);
      assertTrue(examination.folder().ok());
      assertTrue(examination.database().ok());
      Finding corpus = examination.corpus();
      assertTrue(corpus.ok() && corpus.message().contains("./rubricem index"), corpus.message());
      assertFalse(Files.exists(folder));
    }
  }

  @Test
  void a_file_in_the_place_of_the_folder_is_a_problem() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "x");
    try (Embedding embedding = new Embedding(16)) {
      Finding folder = of(file.resolve("data"), embedding).folder();
      assertFalse(folder.ok());
      assertTrue(folder.message().contains("--data-dir"), folder.message());
    }
  }

  @Test
  void a_journal_that_is_none_is_a_problem() throws IOException {
    Files.writeString(temp.resolve("journal.db"), "this is no database");
    try (Embedding embedding = new Embedding(16)) {
      Finding database = of(temp, embedding).database();
      assertFalse(database.ok(), database.message());
    }
  }

  @Test
  void a_running_node_is_seen_and_not_disturbed() throws IOException {
    try (DataFolder node = DataFolder.lock(temp.resolve("data"));
        Embedding embedding = new Embedding(16)) {
      Finding folder = of(node.path(), embedding).folder();
      assertTrue(folder.ok() && folder.message().contains("a node is running"), folder.message());
    }
  }

  @Test
  void a_policy_is_asked_and_what_it_says_is_passed_on() throws Exception {
    try (Embedding embedding = new Embedding(16)) {
      Examination examination = of(temp, embedding);
      String there;
      try (FakeModelServer server = FakeModelServer.start(0, FakeScript.researcher())) {
        there = "openai:" + server.baseUrl() + "#fake";
        Finding fine = examination.policy(there, Secret.NONE, Clock.systemUTC());
        assertEquals(there + " answers as fake.", fine.message());
      }
      assertFalse(examination.policy(there, Secret.NONE, Clock.systemUTC()).ok());
      assertFalse(examination.policy("nonsense", Secret.NONE, Clock.systemUTC()).ok());
    }
  }

  @Test
  void an_examination_that_breaks_is_itself_a_problem() {
    Finding finding =
        Finding.of(
            () -> {
              throw new IOException("disk");
            });
    assertFalse(finding.ok());
    assertTrue(finding.message().contains("disk"), finding.message());
  }
}
