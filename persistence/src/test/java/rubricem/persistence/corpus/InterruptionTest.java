package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.CorpusStatus;

class InterruptionTest {
  private static final int FILES = 4;

  @TempDir Path folder;
  private Shelf shelf;

  @BeforeEach
  void open() throws Exception {
    CorpusSettings d = CorpusSettings.defaults();
    shelf =
        Shelf.in(folder)
            .with(
                new CorpusSettings(
                    d.filesMax(), d.fileBytesMax(), d.textCharsMax(), d.readTimeout(),
                    d.passageWords(), Duration.ZERO, 2, d.candidates(), d.queryWait(),
                    d.indexBufferMb()));
    for (int i = 0; i < FILES; i++) {
      shelf.put("f" + i + ".md", "# T" + i + "\n\nOtters.\n\n## A\n\nFloat.\n\n## B\n\nDive.\n");
    }
  }

  @Test
  void a_process_killed_at_any_step_is_continued_without_loss_or_duplicate() throws Exception {
    List<Path> copies = new ArrayList<>();
    IndexingWatcher copying =
        new IndexingWatcher() {
          @Override
          public void onReading(int done, int total) {
            copies.add(copy(copies.size()));
          }

          @Override
          public void onKeywordsReady(int documents, int passages) {
            copies.add(copy(copies.size()));
          }

          @Override
          public void onEmbedding(int done, int total) {
            copies.add(copy(copies.size()));
          }
        };
    shelf.indexing().run(List.of(shelf.documents()), copying);
    assertEquals(FILES + 1 + FILES * 3 / 2, copies.size());
    List<String> whole = everything(shelf);
    for (Path copy : copies) {
      Shelf killed = new Shelf(shelf.documents(), copy, shelf.settings(), WordVectors.ready());
      IndexingOutcome outcome = killed.run();
      assertEquals(FILES, outcome.documents());
      assertEquals(0, outcome.vectorsPending());
      assertEquals(whole, everything(killed), copy.toString());
    }
  }

  @Test
  void what_was_read_and_embedded_before_is_not_done_again() throws Exception {
    WordVectors model = new WordVectors("words", 32);
    model.failAfter = 7;
    Shelf failing = shelf.with(CompletableFuture.completedFuture(model));
    IndexingOutcome first = failing.run();
    assertTrue(first.notes().getFirst().contains("the model broke"));
    assertEquals(FILES * 3 - 6, first.vectorsPending());
    assertEquals(FILES, failing.documentsWith("otters").size());
    WordVectors whole = new WordVectors("words", 32);
    IndexingOutcome second = shelf.with(CompletableFuture.completedFuture(whole)).run();
    assertEquals(0, second.read());
    assertEquals(0, second.vectorsPending());
    assertEquals(FILES * 3 - 6, whole.embedded.get());
  }

  @Test
  void stopping_keeps_what_is_done_and_says_it_was_stopped() throws Exception {
    CorpusIndexing indexing = shelf.indexing();
    IndexingOutcome outcome = indexing.run(List.of(shelf.documents()), stopAfter(indexing, 2));
    assertTrue(outcome.stopped());
    assertEquals(2, outcome.documents());
    IndexingOutcome rest = shelf.run();
    assertFalse(rest.stopped());
    assertEquals(FILES - 2, rest.read());
    assertEquals(FILES, rest.documents());
  }

  private static IndexingWatcher stopAfter(CorpusIndexing indexing, int files) {
    return new IndexingWatcher() {
      @Override
      public void onReading(int done, int total) {
        if (done == files) {
          indexing.stop();
        }
      }

      @Override
      public void onKeywordsReady(int documents, int passages) {}

      @Override
      public void onEmbedding(int done, int total) {}
    };
  }

  @Test
  void an_exception_in_the_middle_frees_the_index() throws Exception {
    IndexingWatcher breaking =
        new IndexingWatcher() {
          @Override
          public void onReading(int done, int total) {
            if (done == 3) {
              throw new IllegalStateException("broke");
            }
          }

          @Override
          public void onKeywordsReady(int documents, int passages) {}

          @Override
          public void onEmbedding(int done, int total) {}
        };
    assertThrows(
        IllegalStateException.class,
        () -> shelf.indexing().run(List.of(shelf.documents()), breaking));
    assertEquals(FILES, shelf.run().documents());
  }

  @Test
  void documents_are_found_while_the_rest_is_still_read_and_embedded() throws Exception {
    List<Integer> found = new ArrayList<>();
    List<Integer> pending = new ArrayList<>();
    try (LuceneCorpus corpus = shelf.open()) {
      IndexingWatcher asking =
          new IndexingWatcher() {
            @Override
            public void onReading(int done, int total) {
              found.add(corpus.status().documents());
            }

            @Override
            public void onKeywordsReady(int documents, int passages) {}

            @Override
            public void onEmbedding(int done, int total) {
              Corpus.Hits hits =
                  corpus.search(new Corpus.Query("otters", 8, "")).toCompletableFuture().join();
              assertEquals(
                  FILES, hits.passages().stream().map(Passage::document).distinct().count());
              pending.add(hits.vectorsPending());
            }
          };
      shelf.indexing().run(List.of(shelf.documents()), asking);
    }
    assertEquals(List.of(0, 1, 2, 3), found);
    assertEquals(FILES * 3, pending.getFirst());
    assertEquals(2, pending.getLast());
  }

  @Test
  void another_model_embeds_everything_anew() throws Exception {
    shelf.run();
    WordVectors other = new WordVectors("other", 48);
    Shelf changed = shelf.with(CompletableFuture.completedFuture(other));
    assertTrue(changed.hits("otters").notes().getFirst().contains("another model"));
    assertEquals(0, changed.run().vectorsPending());
    assertEquals(FILES * 3, other.embedded.get());
    assertEquals(List.of(), changed.hits("otters").notes());
  }

  private Path copy(int n) {
    Path copy = folder.resolve("killed-" + n);
    try (Stream<Path> files = Files.list(shelf.index())) {
      Files.createDirectories(copy);
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> everything(Shelf shelf) throws Exception {
    try (LuceneCorpus corpus = shelf.open()) {
      List<String> all = new ArrayList<>();
      CorpusStatus status = corpus.status();
      all.add(status.documents() + " " + status.passages() + " " + status.vectors());
      for (String words : List.of("otters", "float", "dive")) {
        corpus.search(new Corpus.Query(words, 100, "")).toCompletableFuture().join().passages()
            .stream().map(Passage::key).sorted().forEach(all::add);
      }
      return all;
    }
  }
}
