package rubricem.persistence.corpus;

import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.FSDirectory;

/**
 * The vectors of the index as it was when the run began, by the hash of what was embedded. A file
 * that was renamed, or changed in one place, keeps the vectors of all text that stayed the same.
 */
final class VectorMemory implements AutoCloseable {
  private static final String PREFIX = Fields.vector("");

  private final Optional<DirectoryReader> reader;

  VectorMemory(FSDirectory directory) throws IOException {
    this.reader = CorpusIndex.read(directory);
  }

  /** The entry of a passage, with a vector where one is remembered. */
  Document restore(PassageDocument passage) throws IOException {
    if (reader.isPresent()) {
      for (LeafReaderContext leaf : reader.get().leaves()) {
        Document restored = restore(passage, leaf.reader());
        if (restored != null) {
          return restored;
        }
      }
    }
    return passage.toIndex("", null);
  }

  private static @org.jspecify.annotations.Nullable Document restore(
      PassageDocument passage, LeafReader leaf) throws IOException {
    PostingsEnum found = leaf.postings(new Term(Fields.CONTENT, passage.content()));
    if (found == null) {
      return null;
    }
    for (int doc = found.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = found.nextDoc()) {
      for (FieldInfo field : leaf.getFieldInfos()) {
        FloatVectorValues vectors =
            field.hasVectorValues() ? leaf.getFloatVectorValues(field.name) : null;
        if (vectors != null) {
          KnnVectorValues.DocIndexIterator at = vectors.iterator();
          if (at.advance(doc) == doc) {
            String model = field.name.substring(PREFIX.length());
            return passage.toIndex(model, vectors.vectorValue(at.index()).clone());
          }
        }
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    if (reader.isPresent()) {
      reader.get().close();
    }
  }
}
