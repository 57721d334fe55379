package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.FSDirectory;

/**
 * The questions both sides ask of the index: what lies under the roots, and what is known of it.
 */
final class CorpusIndex {
  private CorpusIndex() {}

  /** What is known of a file without opening it. */
  record Known(long size, long modified, long reader) {}

  /** The last committed state; empty where nothing was committed yet. */
  static java.util.Optional<DirectoryReader> read(FSDirectory directory) throws IOException {
    try {
      return java.util.Optional.of(DirectoryReader.open(directory));
    } catch (IndexNotFoundException e) {
      return java.util.Optional.empty();
    } catch (CorruptIndexException | IndexFormatTooOldException | IndexFormatTooNewException e) {
      throw new IOException(
          "the index in " + directory.getDirectory() + " is damaged or of another version;"
              + " delete that folder and index again",
          e);
    }
  }

  static Query under(List<Path> roots) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (Path root : roots) {
      any.add(term(Fields.UNDER, root.toString()), Occur.SHOULD);
    }
    return any.build();
  }

  static Query all(Query... queries) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (Query query : queries) {
      all.add(query, Occur.FILTER);
    }
    return all.build();
  }

  static Query without(Query query, Query excluded) {
    return new BooleanQuery.Builder()
        .add(query, Occur.FILTER)
        .add(excluded, Occur.MUST_NOT)
        .build();
  }

  static Query term(String field, String value) {
    return new TermQuery(new Term(field, value));
  }

  /** Every known file under the roots, read from columns: a thousand files take milliseconds. */
  static Map<String, Known> files(DirectoryReader reader, List<Path> roots) throws IOException {
    Query query = all(term(Fields.KIND, Fields.FILE), under(roots));
    IndexSearcher searcher = new IndexSearcher(reader);
    Weight weight =
        searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    Map<String, Known> files = new HashMap<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      Scorer scorer = weight.scorer(leaf);
      if (scorer != null) {
        collect(leaf, scorer.iterator(), files);
      }
    }
    return files;
  }

  private static void collect(
      LeafReaderContext leaf, DocIdSetIterator found, Map<String, Known> files)
      throws IOException {
    SortedDocValues paths = leaf.reader().getSortedDocValues(Fields.PATH_COLUMN);
    NumericDocValues sizes = leaf.reader().getNumericDocValues(Fields.SIZE);
    NumericDocValues modified = leaf.reader().getNumericDocValues(Fields.MODIFIED);
    NumericDocValues readers = leaf.reader().getNumericDocValues(Fields.READER);
    var live = leaf.reader().getLiveDocs();
    for (int doc = found.nextDoc();
        doc != DocIdSetIterator.NO_MORE_DOCS;
        doc = found.nextDoc()) {
      boolean there = live == null || live.get(doc);
      if (there
          && paths.advanceExact(doc) && sizes.advanceExact(doc)
          && modified.advanceExact(doc) && readers.advanceExact(doc)) {
        String path = paths.lookupOrd(paths.ordValue()).utf8ToString();
        files.put(
            path, new Known(sizes.longValue(), modified.longValue(), readers.longValue()));
      }
    }
  }
}
