package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.CorpusStatus;

/** A corpus of given passages that ranks by shared words; each text is a document of its own. */
record Folder(List<String> texts) implements Corpus {
  @Override
  public CompletionStage<Hits> search(Query query) {
    Set<String> wanted = Words.terms(query.text());
    List<Passage> ranked = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      String document = i + ".md";
      if (query.document().isEmpty() || query.document().equals(document)) {
        long shared = Words.terms(texts.get(i)).stream().filter(wanted::contains).count();
        ranked.add(passage(i, shared));
      }
    }
    ranked.sort(Comparator.comparingDouble(Passage::score).reversed());
    List<Passage> hits = ranked.stream().limit(query.limit()).toList();
    return CompletableFuture.completedFuture(new Hits(hits, Searched.NOTHING, 0, List.of()));
  }

  private Passage passage(int i, double score) {
    String text = texts.get(i);
    return new Passage(
        i + ".md", "Title " + i, "file:/" + i + ".md", "", 0, text.length(), text, score,
        Optional.empty());
  }

  @Override
  public CorpusStatus status() {
    return new CorpusStatus(texts.size(), texts.size(), texts.size(), 0, List.of());
  }

  @Override
  public List<Passage> passagesAround(String document, int from, int to, int each) {
    return List.of();
  }

  @Override
  public Optional<Passage> passage(String document, int from, int to) {
    return Optional.empty();
  }
}
