package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import rubricem.protocol.evidence.UnreadableKind;
import rubricem.protocol.port.CorpusStatus.Unreadable;

/** One committed state of the index, read only. An index that does not exist yet is empty. */
final class CorpusView implements AutoCloseable {
  private final Optional<DirectoryReader> reader;
  private final Optional<IndexSearcher> searcher;
  private @Nullable SteadyStatistics steady;

  private CorpusView(Optional<DirectoryReader> reader) {
    this.reader = reader;
    this.searcher = reader.map(CorpusView::searcher);
  }

  static CorpusView open(FSDirectory directory) throws IOException {
    return new CorpusView(CorpusIndex.read(directory));
  }

  /** The newest state where there is a newer one, else empty. */
  Optional<CorpusView> newer(FSDirectory directory) throws IOException {
    if (reader.isEmpty()) {
      Optional<DirectoryReader> now = CorpusIndex.read(directory);
      return now.isEmpty() ? Optional.empty() : Optional.of(new CorpusView(now));
    }
    DirectoryReader changed = DirectoryReader.openIfChanged(reader.get());
    return changed == null ? Optional.empty() : Optional.of(new CorpusView(Optional.of(changed)));
  }

  private static IndexSearcher searcher(DirectoryReader reader) {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setSimilarity(new BM25Similarity());
    searcher.setQueryCache(null);
    return searcher;
  }

  /** Keeps it open for a search; false where it was closed meanwhile. */
  boolean acquire() {
    return reader.isEmpty() || reader.get().tryIncRef();
  }

  @Override
  public void close() throws IOException {
    if (reader.isPresent()) {
      reader.get().decRef();
    }
  }

  /** How much lies under the roots. */
  record Count(int documents, int unreadable, int passages, int vectors) {
    int vectorsPending() {
      return passages - vectors;
    }
  }

  Count status(List<Path> roots) throws IOException {
    return status(roots, Fields.ANY_MODEL);
  }

  Count status(List<Path> roots, String model) throws IOException {
    if (searcher.isEmpty()) {
      return new Count(0, 0, 0, 0);
    }
    Query under = CorpusIndex.under(roots);
    return new Count(
        count(under, Fields.STATE, Fields.READABLE),
        count(under, Fields.STATE, Fields.UNREADABLE),
        count(under, Fields.KIND, Fields.PASSAGE),
        count(under, Fields.MODEL, model));
  }

  private int count(Query under, String field, String value) throws IOException {
    return searcher.get().count(CorpusIndex.all(CorpusIndex.term(field, value), under));
  }

  Map<String, CorpusIndex.Known> files(List<Path> roots) throws IOException {
    return reader.isEmpty() ? Map.of() : CorpusIndex.files(reader.get(), roots);
  }

  List<Unreadable> unreadable(List<Path> roots, DocumentNames names) throws IOException {
    List<Unreadable> found = new ArrayList<>();
    Query query =
        CorpusIndex.all(
            CorpusIndex.term(Fields.STATE, Fields.UNREADABLE), CorpusIndex.under(roots));
    Set<String> fields = Set.of(Fields.PATH, Fields.REASON_KIND, Fields.REASON);
    for (int doc : docs(query, Sort.INDEXORDER)) {
      Document stored = stored().document(doc, fields);
      found.add(
          new Unreadable(names.nameOf(stored.get(Fields.PATH)), kind(stored), detail(stored)));
    }
    found.sort(Comparator.comparing(Unreadable::document));
    return List.copyOf(found);
  }

  /** An index of an older program has sentences only. */
  private static UnreadableKind kind(Document stored) {
    String label = stored.get(Fields.REASON_KIND);
    return label == null ? UnreadableKind.OTHER : UnreadableKind.of(label);
  }

  private static String detail(Document stored) {
    return Objects.requireNonNullElse(stored.get(Fields.REASON), "");
  }

  int[] withoutVector(List<Path> roots, String model) throws IOException {
    Query passages =
        CorpusIndex.all(
            CorpusIndex.term(Fields.KIND, Fields.PASSAGE), CorpusIndex.under(roots));
    return docs(
        CorpusIndex.without(passages, CorpusIndex.term(Fields.MODEL, model)), Sort.INDEXORDER);
  }

  /** The passages of one document in reading order. */
  List<PassageDocument> passagesOf(String path) throws IOException {
    Query query =
        CorpusIndex.all(
            CorpusIndex.term(Fields.PATH, path),
            CorpusIndex.term(Fields.KIND, Fields.PASSAGE));
    Sort byOrdinal = new Sort(new SortField(Fields.ORDINAL, SortField.Type.INT));
    List<PassageDocument> passages = new ArrayList<>();
    for (int doc : docs(query, byOrdinal)) {
      passages.add(passage(doc));
    }
    return passages;
  }

  Optional<Document> file(String path) throws IOException {
    Query query =
        CorpusIndex.all(
            CorpusIndex.term(Fields.PATH, path), CorpusIndex.term(Fields.KIND, Fields.FILE));
    int[] docs = docs(query, Sort.INDEXORDER);
    return docs.length == 0 ? Optional.empty() : Optional.of(stored().document(docs[0]));
  }

  PassageDocument passage(int doc) throws IOException {
    return PassageDocument.of(stored().document(doc));
  }

  /** A passage that was found, and what decides between it and one found equally well. */
  record Hit(int doc, BytesRef order) {}

  /** The best by score, by Lucene's own counts. */
  List<Hit> best(Query query, int limit) throws IOException {
    return searcher.isEmpty()
        ? List.of()
        : best(searcher.get(), query, SortField.FIELD_SCORE, limit);
  }

  /** The best by score where only passages under the roots weigh words. */
  List<Hit> bestSteadily(Query query, List<Path> roots, int limit) throws IOException {
    return reader.isEmpty()
        ? List.of()
        : best(steady(roots), query, SortField.FIELD_SCORE, limit);
  }

  /** The nearest of all that the query selects. */
  List<Hit> nearest(Query query, NearestExactly to, int limit) throws IOException {
    return searcher.isEmpty()
        ? List.of()
        : best(searcher.get(), query, to.getSortField(true), limit);
  }

  private static List<Hit> best(
      IndexSearcher searcher, Query query, SortField by, int limit) throws IOException {
    SortField order = new SortField(Fields.ORDER, SortField.Type.STRING);
    List<Hit> hits = new ArrayList<>();
    for (ScoreDoc found : searcher.search(query, limit, new Sort(by, order)).scoreDocs) {
      BytesRef key = (BytesRef) ((FieldDoc) found).fields[1];
      hits.add(new Hit(found.doc, key == null ? new BytesRef() : key));
    }
    return hits;
  }

  private synchronized IndexSearcher steady(List<Path> roots) throws IOException {
    SteadyStatistics known = steady;
    if (known == null || !known.isOf(roots)) {
      known = new SteadyStatistics(reader.orElseThrow(), roots);
      known.setSimilarity(new BM25Similarity());
      known.setQueryCache(null);
      steady = known;
    }
    return known;
  }

  private int[] docs(Query query, Sort order) throws IOException {
    if (searcher.isEmpty()) {
      return new int[0];
    }
    int limit = Math.max(1, reader.get().maxDoc());
    ScoreDoc[] found = searcher.get().search(query, limit, order).scoreDocs;
    int[] docs = new int[found.length];
    for (int i = 0; i < found.length; i++) {
      docs[i] = found[i].doc;
    }
    return docs;
  }

  private StoredFields stored() throws IOException {
    return searcher.get().storedFields();
  }
}
