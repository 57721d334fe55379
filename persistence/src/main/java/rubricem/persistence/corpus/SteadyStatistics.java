package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.SmallFloat;

/**
 * A searcher that weighs words by the passages under its roots and by nothing else. Lucene's own
 * counts hold entries that were replaced and not yet merged away, and the documents of every other
 * root of the index: two indexes of the same files would rank differently. It counts anew for each
 * search, so it is meant for corpora small enough for that.
 */
final class SteadyStatistics extends IndexSearcher {
  private final List<Path> roots;
  private final List<FixedBitSet> passages = new ArrayList<>();
  private final Map<String, CollectionStatistics> fields = new HashMap<>();

  SteadyStatistics(DirectoryReader reader, List<Path> roots) throws IOException {
    super(reader);
    this.roots = roots;
    Query query =
        CorpusIndex.all(CorpusIndex.term(Fields.KIND, Fields.PASSAGE), CorpusIndex.under(roots));
    Weight weight = createWeight(rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    for (LeafReaderContext leaf : reader.leaves()) {
      passages.add(passages(leaf, weight));
    }
  }

  private static FixedBitSet passages(LeafReaderContext leaf, Weight weight) throws IOException {
    FixedBitSet found = new FixedBitSet(Math.max(1, leaf.reader().maxDoc()));
    Scorer scorer = weight.scorer(leaf);
    var live = leaf.reader().getLiveDocs();
    DocIdSetIterator all = scorer == null ? DocIdSetIterator.empty() : scorer.iterator();
    for (int doc = all.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = all.nextDoc()) {
      if (live == null || live.get(doc)) {
        found.set(doc);
      }
    }
    return found;
  }

  boolean isOf(List<Path> others) {
    return roots.equals(others);
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    int documents = 0;
    long occurrences = 0;
    for (LeafReaderContext leaf : getIndexReader().leaves()) {
      PostingsEnum postings = postings(leaf.reader(), term);
      FixedBitSet counted = passages.get(leaf.ord);
      for (int doc = postings == null ? DocIdSetIterator.NO_MORE_DOCS : postings.nextDoc();
          postings != null && doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = postings.nextDoc()) {
        if (counted.get(doc)) {
          documents++;
          occurrences += postings.freq();
        }
      }
    }
    return new TermStatistics(
        BytesRef.deepCopyOf(term.bytes()), Math.max(1, documents), Math.max(1, occurrences));
  }

  private static @org.jspecify.annotations.Nullable PostingsEnum postings(
      LeafReader leaf, Term term) throws IOException {
    Terms terms = leaf.terms(term.field());
    if (terms == null) {
      return null;
    }
    TermsEnum at = terms.iterator();
    return at.seekExact(term.bytes()) ? at.postings(null, PostingsEnum.FREQS) : null;
  }

  @Override
  public synchronized CollectionStatistics collectionStatistics(String field)
      throws IOException {
    CollectionStatistics known = fields.get(field);
    if (known == null) {
      known = counted(field);
      if (known != null) {
        fields.put(field, known);
      }
    }
    return known;
  }

  /** Lengths are read from the norms that a ranking by words uses too. */
  private @org.jspecify.annotations.Nullable CollectionStatistics counted(String field)
      throws IOException {
    int documents = 0;
    long words = 0;
    for (LeafReaderContext leaf : getIndexReader().leaves()) {
      NumericDocValues norms = leaf.reader().getNormValues(field);
      FixedBitSet counted = passages.get(leaf.ord);
      while (norms != null && norms.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        int length = SmallFloat.byte4ToInt((byte) norms.longValue());
        if (length > 0 && counted.get(norms.docID())) {
          documents++;
          words += length;
        }
      }
    }
    return documents == 0
        ? super.collectionStatistics(field)
        : new CollectionStatistics(
            field, getIndexReader().maxDoc(), documents, words, documents);
  }
}
