package rubricem.protocol.port;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;

/** The local documents, searchable. */
public interface Corpus {
  CompletionStage<Hits> search(Query query);

  /** How much is there and how much of it can be searched; cheap. */
  CorpusStatus status();

  /**
   * @param text in any language; matched by words and, once the vectors are there, by meaning
   * @param limit most passages to return
   * @param document restricts the search to one document by its stable name; blank: all
   */
  record Query(String text, int limit, String document) {}

  /**
   * @param vectorsPending passages that so far can be found by words only
   * @param notes what the caller should know about this search, one sentence each
   */
  record Hits(
      List<Passage> passages, Searched searched, int vectorsPending, List<String> notes) {}

  /**
   * The passages beside a stretch of a document, in reading order, without those it covers.
   *
   * @param each how many before and how many after
   */
  List<Passage> passagesAround(String document, int from, int to, int each);

  /** A passage by its key; empty where the document has changed since. */
  Optional<Passage> passage(String document, int from, int to);
}
