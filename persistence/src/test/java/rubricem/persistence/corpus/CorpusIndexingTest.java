package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.CorpusStatus;

class CorpusIndexingTest {
  @TempDir Path folder;
  private Shelf shelf;

  @BeforeEach
  void open() throws Exception {
    shelf = Shelf.in(folder);
  }

  @Test
  void finds_what_it_read_and_says_where_it_stands() throws Exception {
    shelf.put("birds/owl.md", "# Owls\n\nOwls hunt at night.\n\n## Barn owl\n\nIt screeches.\n");
    shelf.run();
    Passage found = shelf.find("screeches").getFirst();
    assertEquals("birds/owl.md", found.document());
    assertEquals("Owls › Barn owl", found.title());
    assertEquals("It screeches.", found.text());
    try (LuceneCorpus corpus = shelf.open()) {
      String text = corpus.text("birds/owl.md").orElseThrow();
      assertEquals(found.text(), text.substring(found.from(), found.to()));
      assertEquals(
          found.text(),
          corpus.passage(found.document(), found.from(), found.to()).orElseThrow().text());
    }
  }

  @Test
  void a_second_run_reads_nothing_and_asks_the_model_for_nothing() throws Exception {
    shelf.put("a.txt", "Otters float.");
    shelf.run();
    WordVectors model = new WordVectors("words", 32);
    IndexingOutcome again = shelf.with(CompletableFuture.completedFuture(model)).run();
    assertEquals(0, again.read());
    assertEquals(0, again.vectorsPending());
    assertEquals(0, model.embedded.get());
  }

  @Test
  void a_changed_file_is_read_again_and_a_deleted_one_leaves() throws Exception {
    Path a = shelf.put("a.txt", "Otters float.");
    shelf.put("b.txt", "Beavers gnaw.");
    shelf.run();
    Files.writeString(a, "Otters swim upstream.");
    Files.delete(folder.resolve("documents/b.txt"));
    IndexingOutcome outcome = shelf.run();
    assertEquals(1, outcome.read());
    assertEquals(1, outcome.removed());
    assertEquals(List.of("a.txt"), shelf.documentsWith("upstream"));
    assertEquals(List.of(), shelf.with(noModel()).documentsWith("float"));
    assertEquals(List.of(), shelf.with(noModel()).documentsWith("gnaw"));
  }

  @Test
  void a_renamed_file_keeps_its_vectors() throws Exception {
    Path a = shelf.put("a.txt", "Otters float on their backs.");
    shelf.run();
    Files.move(a, a.resolveSibling("b.txt"));
    // the title is part of what is embedded; a text file is titled by its name
    shelf.put("c.md", "# Same\n\nBeavers gnaw.");
    shelf.run();
    Files.move(folder.resolve("documents/c.md"), folder.resolve("documents/d.md"));
    WordVectors model = new WordVectors("words", 32);
    IndexingOutcome outcome = shelf.with(CompletableFuture.completedFuture(model)).run();
    assertEquals(0, outcome.vectorsPending());
    assertEquals(0, model.embedded.get());
    assertEquals(List.of("d.md"), shelf.with(noModel()).documentsWith("gnaw"));
  }

  @Test
  void a_root_that_is_missing_or_empty_is_named() throws Exception {
    IndexingOutcome empty = shelf.run();
    assertTrue(empty.nothingToSearch());
    assertEquals("holds no file", empty.problems().getFirst().reason());
    IndexingOutcome missing =
        shelf.indexing().run(List.of(folder.resolve("nowhere")), IndexingWatcher.NONE);
    assertEquals("does not exist", missing.problems().getFirst().reason());
    shelf.put("blank.txt", "  \n ");
    IndexingOutcome blank = shelf.run();
    assertEquals("holds no document that can be read", blank.problems().getFirst().reason());
    assertEquals(1, blank.unreadable().size());
  }

  @Test
  void a_root_that_is_missing_for_once_keeps_its_index() throws Exception {
    shelf.put("a.txt", "Otters float.");
    shelf.run();
    Files.move(folder.resolve("documents"), folder.resolve("away"));
    assertEquals(0, shelf.run().removed());
    Files.move(folder.resolve("away"), folder.resolve("documents"));
    assertEquals(List.of("a.txt"), shelf.documentsWith("float"));
  }

  @Test
  void only_the_roots_asked_for_are_searched() throws Exception {
    shelf.put("one/a.txt", "Otters float.");
    shelf.put("two/a.txt", "Otters dive.");
    shelf.run();
    Path one = folder.resolve("documents/one");
    Path two = folder.resolve("documents/two");
    try (LuceneCorpus corpus =
        LuceneCorpus.open(shelf.index(), List.of(one), shelf.settings(), shelf.model())) {
      assertEquals(List.of("a.txt"), documents(corpus, "otters", ""));
      assertEquals(1, corpus.status().documents());
    }
    try (LuceneCorpus corpus =
        LuceneCorpus.open(shelf.index(), List.of(one, two), shelf.settings(), shelf.model())) {
      assertEquals(List.of("one/a.txt", "two/a.txt"), documents(corpus, "otters", ""));
      assertEquals(List.of("two/a.txt"), documents(corpus, "otters", "two/a.txt"));
      assertEquals(List.of(), documents(corpus, "otters", "../two/a.txt"));
    }
  }

  private static List<String> documents(LuceneCorpus corpus, String words, String document) {
    return corpus.search(new Corpus.Query(words, 8, document)).toCompletableFuture().join()
        .passages().stream().map(Passage::document).sorted().toList();
  }

  @Test
  void without_a_model_words_are_searched_and_a_note_says_so() throws Exception {
    shelf.put("a.txt", "Otters float.");
    Shelf broken = shelf.with(noModel());
    IndexingOutcome outcome = broken.run();
    assertEquals(1, outcome.vectorsPending());
    assertTrue(outcome.notes().getFirst().contains("no model"));
    Corpus.Hits hits = broken.hits("float");
    assertEquals(1, hits.passages().size());
    assertEquals(1, hits.vectorsPending());
    assertEquals(1, hits.notes().size());
    assertEquals(0, shelf.run().vectorsPending());
    assertEquals(0, shelf.hits("float").vectorsPending());
    assertTrue(broken.hits("float").notes().getFirst().contains("words only"));
  }

  private static java.util.concurrent.CompletionStage<rubricem.protocol.port.Embedder> noModel() {
    return CompletableFuture.failedFuture(new IllegalStateException("no model"));
  }

  @Test
  void another_writer_is_named_and_readers_go_on() throws Exception {
    shelf.put("a.txt", "Otters float.");
    shelf.run();
    shelf.put("b.txt", "Beavers gnaw.");
    try (FSDirectory directory = FSDirectory.open(shelf.index());
        var lock = directory.obtainLock("write.lock")) {
      assertFalse(lock.toString().isEmpty());
      CorpusBusyException busy = assertThrows(CorpusBusyException.class, shelf::run);
      assertTrue(busy.getMessage().startsWith("another process is indexing into"));
      assertEquals(List.of("a.txt"), shelf.documentsWith("float"));
    }
    assertEquals(2, shelf.run().documents());
  }

  @Test
  void counts_what_is_searched_and_names_what_is_not() throws Exception {
    shelf.put("a.txt", "Otters float.");
    shelf.put("b.bin", new byte[] {0, 1, 2, 3, 0, 0, 9, (byte) 200});
    shelf.put(".hidden/c.txt", "Secret otters.");
    shelf.run();
    try (LuceneCorpus corpus = shelf.open()) {
      CorpusStatus status = corpus.status();
      assertEquals(1, status.documents());
      assertEquals(2, status.documentsTotal());
      assertEquals("b.bin", status.unreadable().getFirst().document());
      assertTrue(status.unreadable().getFirst().reason().startsWith("not a document"));
    }
  }

  @Test
  void a_circle_of_links_ends_and_a_linked_file_is_read_once() throws Exception {
    Path a = shelf.put("one/a.txt", "Otters float.");
    Files.createSymbolicLink(a.resolveSibling("loop"), folder.resolve("documents"));
    IndexingOutcome outcome = shelf.run();
    assertEquals(1, outcome.documents());
    assertEquals(List.of(), outcome.problems());
  }

  @Test
  void what_is_no_file_is_named_and_never_opened() throws Exception {
    shelf.put("a.txt", "Otters float.");
    Path documents = folder.resolve("documents");
    Files.createSymbolicLink(documents.resolve("gone.txt"), documents.resolve("nowhere.txt"));
    Files.createSymbolicLink(documents.resolve("one.txt"), documents.resolve("two.txt"));
    Files.createSymbolicLink(documents.resolve("two.txt"), documents.resolve("one.txt"));
    Files.createSymbolicLink(documents.resolve("null.txt"), Path.of("/dev/null"));
    // opening it would wait for ever for somebody who writes; six make a site
    for (int i = 0; i < 6; i++) {
      pipe(documents.resolve("pipe" + i + ".html"));
    }
    for (int run = 0; run < 2; run++) {
      IndexingOutcome outcome = shelf.run();
      assertEquals(1, outcome.documents());
      assertEquals(List.of(), outcome.problems());
      assertEquals(run == 0 ? 11 : 0, outcome.read());
    }
    try (LuceneCorpus corpus = shelf.open()) {
      assertEquals(11, corpus.status().documentsTotal());
      assertEquals(
          List.of(
              "gone.txt: dangling_link", "null.txt: outside_link", "one.txt: dangling_link",
              "pipe0.html: special_file"),
          corpus.status().unreadable().stream().limit(4)
              .map(u -> u.document() + ": " + u.kind().label()).toList());
    }
    Files.writeString(documents.resolve("nowhere.txt"), "Beavers gnaw.");
    assertEquals(3, shelf.run().documents());
  }

  @Test
  void a_link_out_of_the_folders_named_is_listed_and_never_read() throws Exception {
    shelf.put("a.txt", "Otters float.");
    Path documents = folder.resolve("documents");
    Path outside = Files.createDirectories(folder.resolve("outside/deep"));
    Path secret = Files.writeString(outside.resolve("secret.txt"), "Beavers gnaw.");
    Files.createSymbolicLink(documents.resolve("file.txt"), secret);
    Files.createSymbolicLink(documents.resolve("folder"), outside);
    Files.createSymbolicLink(documents.resolve("up"), folder);
    Files.createSymbolicLink(documents.resolve("within.txt"), documents.resolve("a.txt"));
    assertEquals(2, shelf.run().documents());
    assertTrue(shelf.find("gnaw").stream().noneMatch(p -> p.text().contains("gnaw")));
    try (LuceneCorpus corpus = shelf.open()) {
      assertEquals(
          List.of("file.txt: outside_link", "folder: outside_link", "up: outside_link"),
          corpus.status().unreadable().stream()
              .map(u -> u.document() + ": " + u.kind().label()).toList());
    }
  }

  @Test
  void a_root_may_be_a_link_and_links_between_roots_are_followed() throws Exception {
    Path real = Files.createDirectories(folder.resolve("real"));
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("b.txt"), "Beavers gnaw.");
    Files.createSymbolicLink(real.resolve("b.txt"), other.resolve("b.txt"));
    Path root = Files.createSymbolicLink(folder.resolve("root"), real);
    for (boolean both : List.of(true, false)) {
      var found = CorpusScan.of(both ? List.of(root, other) : List.of(root), 9).files();
      assertEquals(
          both, found.get(root.resolve("b.txt").toString()).closed().isEmpty(), "" + found);
    }
  }

  private static void pipe(Path path) throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
  }

  @Test
  void a_link_leads_to_the_page_or_the_section() throws Exception {
    shelf.put("a (draft) #1.pdf", OfficeFiles.pdf(
        List.of(List.of("Otters float."), List.of("Beavers gnaw."))));
    shelf.put("b.html", "<html><body><h2 id=\"x'y)\">Cats</h2><p>Cats purr.</p></body></html>");
    shelf.put("c.md", "# Dogs\n\nDogs bark.");
    shelf.run();
    Path documents = folder.resolve("documents");
    String pdf = documents.resolve("a (draft) #1.pdf").toUri().toString();
    assertEquals(pdf + "#page=2", shelf.find("gnaw").getFirst().url());
    assertEquals(
        documents.resolve("b.html").toUri() + "#x%27y%29", shelf.find("purr").getFirst().url());
    assertEquals(documents.resolve("c.md").toUri() + "", shelf.find("bark").getFirst().url());
  }

  @Test
  void a_parser_that_hangs_costs_its_own_document_only() throws Exception {
    TimedReading timed = new TimedReading(Duration.ofMillis(100));
    CountDownLatch never = new CountDownLatch(1);
    Reading hung =
        timed.run(() -> {
          never.await();
          return new Reading.Asset();
        });
    assertEquals(
        "parser time-out: it could not be read within 0 s", ((Reading.Unreadable) hung).reason());
    assertEquals(new Reading.Asset(), timed.run(Reading.Asset::new));
    Reading deep = new TimedReading(Duration.ofSeconds(60)).run(() -> endless(0));
    assertEquals("refused: it is nested too deeply", ((Reading.Unreadable) deep).reason());
  }

  private static Reading endless(int depth) {
    return depth < 0 ? new Reading.Asset() : endless(depth + 1 & Integer.MAX_VALUE);
  }

  @Test
  void neighbours_are_given_in_reading_order_without_the_passage_itself() throws Exception {
    shelf.put("a.md", "# A\n\none\n\n# B\n\ntwo\n\n# C\n\nthree\n\n# D\n\nfour\n");
    shelf.run();
    try (LuceneCorpus corpus = shelf.open()) {
      Passage two = shelf.find("two").getFirst();
      List<Passage> around = corpus.passagesAround("a.md", two.from(), two.to(), 1);
      assertEquals(List.of("one", "three"), around.stream().map(Passage::text).toList());
      around = corpus.passagesAround("a.md", two.from(), two.to(), 9);
      assertEquals(List.of("one", "three", "four"), around.stream().map(Passage::text).toList());
      assertEquals(List.of(), corpus.passagesAround("none.md", 0, 9, 1));
    }
  }

  @Test
  void a_file_read_by_an_older_reader_is_read_again() {
    CorpusScan.Found found = new CorpusScan.Found(Path.of("/x/a.txt"), 5, 7);
    CorpusScan scan = new CorpusScan(List.of(), java.util.Map.of("/x/a.txt", found), List.of());
    for (int version : List.of(DocumentReader.VERSION, DocumentReader.VERSION - 1)) {
      var known = java.util.Map.of("/x/a.txt", new CorpusIndex.Known(5, 7, version));
      boolean current = version == DocumentReader.VERSION;
      assertEquals(current, Changes.between(scan, known, List.of(Path.of("/x"))).isEmpty());
    }
  }

  @Test
  void a_damaged_index_is_named_with_what_to_do() throws Exception {
    shelf.put("a.txt", "Otters float.");
    shelf.run();
    try (var files = Files.list(shelf.index())) {
      for (Path file : files.filter(f -> f.toString().contains("segments_")).toList()) {
        Files.write(file, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
      }
    }
    Exception e = assertThrows(java.io.IOException.class, shelf::open);
    assertTrue(e.getMessage().endsWith("delete that folder and index again"), e.getMessage());
  }
}
