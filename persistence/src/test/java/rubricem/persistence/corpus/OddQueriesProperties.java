package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import rubricem.protocol.port.Corpus;

class OddQueriesProperties {
  private static LuceneCorpus corpus;
  private static Path folder;

  @BeforeContainer
  static void open() throws Exception {
    folder = Files.createTempDirectory("odd-queries");
    Shelf shelf =
        Shelf.in(folder)
            .with(CompletableFuture.failedFuture(new IllegalStateException("words only")));
    shelf.put("a.txt", "Otters float on their backs and hold hands.");
    shelf.run();
    corpus = shelf.open();
  }

  @AfterContainer
  static void close() throws Exception {
    corpus.close();
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Property(tries = 300)
  void any_text_is_a_query(@ForAll String text, @ForAll String document, @ForAll int limit) {
    assertNotNull(search(text, document, limit));
  }

  @Example
  void operators_and_broken_text_are_only_words() {
    for (String odd :
        List.of(
            "", " ", "\0", "\uD800", "\uDC00otters", "( ) \" *", "otters AND (", "\"otters",
            "otters~2^3", "[a TO b]", "*:*", "?", "field:otters", "/otters/", "otters \0 float",
            "otters ".repeat(200_000))) {
      boolean words = odd.contains("otters");
      assertEquals(words ? 1 : 0, Math.min(1, search(odd, "", 5).passages().size()), odd);
    }
  }

  private static Corpus.Hits search(String text, String document, int limit) {
    return corpus.search(new Corpus.Query(text, limit, document)).toCompletableFuture().join();
  }
}
