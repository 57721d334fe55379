package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.Corpus;

/** The same files rank the same, whatever the index went through until it held them. */
class SteadyRankingTest {
  private static final int FILES = 120;
  private static final String[] WORDS =
      ("otter beaver river dam night water tooth tail fish winter burrow bank stone reed current"
          + " float dive gnaw swim sleep").split(" ");

  private static final List<String> QUERIES =
      List.of("otter river", "beaver dam winter", "night", "fish tail water tooth", "sleep");

  @TempDir Path folder;
  private Shelf shelf;
  private final Map<String, String> texts = new TreeMap<>();

  @BeforeEach
  void write() throws Exception {
    shelf = Shelf.in(folder);
    Random random = new Random(7);
    for (int i = 0; i < FILES; i++) {
      StringBuilder text = new StringBuilder("# Same title\n\n");
      for (int n = 3 + random.nextInt(20); n > 0; n--) {
        text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
      }
      // every third file repeats the one before it: hits that nothing but their place tells apart
      texts.put("f" + i + ".md", i % 3 == 2 ? texts.get("f" + (i - 1) + ".md") : text.toString());
    }
  }

  private static List<String> ranking(Shelf shelf) throws IOException {
    List<String> found = new ArrayList<>();
    try (LuceneCorpus corpus = shelf.open()) {
      for (String query : QUERIES) {
        for (Passage p :
            corpus.search(new Corpus.Query(query, 100, "")).toCompletableFuture().join()
                .passages()) {
          found.add(query + ": " + p.key() + " " + p.score());
        }
      }
    }
    return found;
  }

  /** Indexed in small steps, in another order, with files that were different at first. */
  private List<String> inSteps(long seed, Path index) throws Exception {
    CorpusSettings d = CorpusSettings.defaults();
    Shelf other =
        new Shelf(
            shelf.documents(), index,
            new CorpusSettings(
                d.filesMax(), d.fileBytesMax(), d.textCharsMax(), d.readTimeout(),
                d.passageWords(), Duration.ZERO, 7, d.candidates(), d.queryWait(),
                d.indexBufferMb()),
            WordVectors.ready());
    for (String name : texts.keySet()) {
      Files.deleteIfExists(other.documents().resolve(name));
    }
    List<String> order = new ArrayList<>(texts.keySet());
    Collections.shuffle(order, new Random(seed));
    for (int i = 0; i < order.size(); i++) {
      other.put(order.get(i), i % 2 == 0 ? texts.get(order.get(i)) : "# Old\n\notter otter dam");
      if (i % 40 == 39) {
        other.run();
      }
    }
    for (String name : order) {
      other.put(name, texts.get(name));
    }
    other.run();
    return ranking(other);
  }

  @Test
  void two_indexes_of_the_same_files_give_the_same_hits_with_the_same_scores() throws Exception {
    for (Map.Entry<String, String> file : texts.entrySet()) {
      shelf.put(file.getKey(), file.getValue());
    }
    shelf.run();
    List<String> whole = ranking(shelf);
    assertNotEquals(List.of(), whole);
    for (long seed = 1; seed <= 3; seed++) {
      assertEquals(whole, inSteps(seed, folder.resolve("index-" + seed)), "seed " + seed);
    }
  }

  @Test
  void other_documents_in_the_index_do_not_move_a_ranking() throws Exception {
    for (Map.Entry<String, String> file : texts.entrySet()) {
      shelf.put(file.getKey(), file.getValue());
    }
    shelf.run();
    List<String> alone = ranking(shelf);
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    for (int i = 0; i < 50; i++) {
      Files.writeString(elsewhere.resolve("o" + i + ".md"), "# Otters\n\notter otter night " + i);
    }
    shelf.indexing().run(List.of(elsewhere), IndexingWatcher.NONE);
    assertEquals(alone, ranking(shelf));
  }
}
