package rubricem.persistence.corpus;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.IndexSearcher;

/**
 * Nearness to a vector as something to sort by: every passage is compared. A graph of neighbours is
 * faster in a large corpus, but it depends on the order in which it was built and merged.
 */
final class NearestExactly extends DoubleValuesSource {
  private final String field;
  private final float[] vector;

  NearestExactly(String field, float[] vector) {
    this.field = field;
    this.vector = vector.clone();
  }

  @Override
  public DoubleValues getValues(LeafReaderContext leaf, DoubleValues scores)
      throws IOException {
    return similarityToQueryVector(leaf, vector, field);
  }

  @Override
  public boolean needsScores() {
    return false;
  }

  @Override
  public DoubleValuesSource rewrite(IndexSearcher searcher) {
    return this;
  }

  @Override
  public boolean isCacheable(LeafReaderContext leaf) {
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NearestExactly that && field.equals(that.field)
        && Arrays.equals(vector, that.vector);
  }

  @Override
  public int hashCode() {
    return 31 * field.hashCode() + Arrays.hashCode(vector);
  }

  @Override
  public String toString() {
    return "nearness(" + field + ")";
  }
}
