package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.NodeSettings.VectorWait;
import rubricem.protocol.port.Embedder;

/** How long a command waits for vectors before it searches. */
class CorpusPreparationTest {
  private static final Duration EVER = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String BY_WORDS = "words are searched";
  private static final String TOO_MANY = "301 passages can be found by their words only";

  @TempDir Path scratch;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private NodeSettings settings;
  private Path corpus;

  private record OneVector(String name, int dimension) implements Embedder {
    @Override
    public CompletionStage<List<float[]>> embed(List<String> texts) {
      return CompletableFuture.completedFuture(
          texts.stream().map(text -> new float[] {1, 0}).toList());
    }
  }

  @BeforeEach
  void documents() throws Exception {
    corpus = Files.createDirectory(scratch.resolve("docs"));
    Files.writeString(corpus.resolve("a.txt"), "The lamp is lit at sunset.");
    settings =
        NodeSettings.of(
            ConfigFactory.load()
                .withValue(
                    "rubricem.data-dir",
                    ConfigValueFactory.fromAnyRef(scratch.resolve("data").toString())));
  }

  /** What is said by one that has {@code pending} passages to embed and waits like that. */
  private String said(CompletableFuture<Embedder> model, VectorWait wait, int pending) {
    Console console =
        new Console(
            new PrintStream(OutputStream.nullOutputStream()),
            new PrintStream(err, true, StandardCharsets.UTF_8), false, false);
    CorpusPreparation preparation =
        CorpusPreparation.start(console, settings, model, List.of(corpus));
    try {
      assertTimeoutPreemptively(
          PATIENCE,
          () -> {
            preparation.awaitKeywords();
            preparation.awaitVectors(wait, pending);
          });
      return err.toString(StandardCharsets.UTF_8);
    } finally {
      model.completeExceptionally(new IllegalStateException("the test is over"));
      preparation.stop();
    }
  }

  @Test
  void where_too_many_are_pending_it_does_not_wait_at_all() {
    String said = said(new CompletableFuture<>(), new VectorWait(EVER, 300), 301);
    assertTrue(said.contains(TOO_MANY), said);
  }

  @Test
  void it_waits_no_longer_than_it_may() {
    String said = said(new CompletableFuture<>(), new VectorWait(Duration.ofMillis(20), 300), 300);
    assertTrue(said.contains("1 document, 1 passage can be searched"), said);
    assertTrue(said.contains(BY_WORDS), said);
    assertFalse(said.contains(TOO_MANY), said);
  }

  @Test
  void vectors_that_come_in_time_are_waited_for() {
    Embedder model = new OneVector("one", 2);
    String said =
        said(CompletableFuture.completedFuture(model), new VectorWait(EVER, 300), 1);
    assertFalse(said.contains(BY_WORDS), said);
    assertTrue(said.contains("1 of 1 passages indexed by meaning"), said);
    assertEquals(1, said.split("indexed by meaning", -1).length - 1, said);
  }
}
