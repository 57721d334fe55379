package rubricem.http.server;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.CorpusStatus;

/** One document of one passage, found by any query that shares its word {@code tides}. */
final class ListedCorpus implements Corpus {
  static final Passage PASSAGE =
      new Passage(
          "tides.txt", "Tides", "file:///docs/tides.txt", "", 0, 38,
          "The moon raises the tides of the sea.", 1, Optional.empty());

  @Override
  public CompletionStage<Hits> search(Query query) {
    List<Passage> found = query.text().contains("tides") ? List.of(PASSAGE) : List.of();
    return CompletableFuture.completedStage(
        new Hits(found, new Searched(1, 1, List.of()), 0, List.of()));
  }

  @Override
  public CorpusStatus status() {
    return new CorpusStatus(1, 1, 1, 0, List.of());
  }

  @Override
  public List<Passage> passagesAround(String document, int from, int to, int each) {
    return List.of();
  }

  @Override
  public Optional<Passage> passage(String document, int from, int to) {
    return Optional.of(PASSAGE);
  }
}
