package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.gpu.embed.MiniLm;
import rubricem.http.llm.Secret;
import rubricem.persistence.journal.JournalUnusable;
import rubricem.protocol.port.Embedder;

/** A process that ends while native code loads a model crashes instead of saying what is wrong. */
class EmbeddingTest {
  @Test
  void closing_waits_for_a_load_under_way() {
    Embedding embedding = new Embedding(16);
    CompletionStage<Embedder> model = embedding.model();
    embedding.close();
    assertTrue(model.toCompletableFuture().isDone());
  }

  @Test
  void a_node_that_cannot_start_leaves_no_load_behind(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("journal.db"), "this is no database ".repeat(100));
    Config config =
        ConfigFactory.load()
            .withValue("rubricem.data-dir", ConfigValueFactory.fromAnyRef(folder.toString()));
    NodeSettings settings = NodeSettings.of(config);
    JournalUnusable unusable =
        assertThrows(
            JournalUnusable.class,
            () -> new ResearchNode(config, settings, Secret.NONE, false, Clock.systemUTC()));
    assertTrue(unusable.getMessage().contains("is no journal"), unusable.getMessage());
    assertTrue(
        Thread.getAllStackTraces().values().stream()
            .flatMap(Arrays::stream)
            .noneMatch(frame -> frame.getClassName().equals(MiniLm.class.getName())));
  }
}
