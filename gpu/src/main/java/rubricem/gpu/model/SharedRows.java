package rubricem.gpu.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import rubricem.gpu.model.MicroBatch.Document;

/**
 * Beginnings that documents of a micro-batch have in common go through the model once: what a token
 * becomes depends on nothing but the tokens before it. Attention alone sees every document whole,
 * so that each of its kernels serves; there the rows of a common beginning are repeated.
 *
 * @param whole for each row of attention the row of the batch it is a copy of
 * @param own for each row of the batch one row of attention
 * @param repeated rows of attention that are copies of a row that another document has too
 * @param first the rows of the batch they are copies of
 */
record SharedRows(int[] whole, int[] own, int[] repeated, int[] first) {
  /** Copying rows for attention takes time of its own: less than a row in so many is not shared. */
  private static final int WORTH_ONE_OF = 16;

  /** Nothing in common: rows of attention and of the batch are the same. */
  static final SharedRows NONE = new SharedRows(new int[0], new int[0], new int[0], new int[0]);

  boolean isNone() {
    return whole.length == 0;
  }

  /** How many rows of the batch so many rows of attention are. */
  int rows(int attended) {
    return isNone() ? attended : own.length;
  }

  /** The row of the batch that is a row of attention. */
  int row(int attended) {
    return isNone() ? attended : whole[attended];
  }

  /** Finds for each document the earlier one that begins most alike. */
  static SharedRows of(List<Document> documents) {
    int[] starts = new int[documents.size()];
    List<Integer> whole = new ArrayList<>();
    List<Integer> own = new ArrayList<>();
    List<Integer> repeated = new ArrayList<>();
    for (int i = 0; i < starts.length; i++) {
      starts[i] = whole.size();
      int like = -1;
      int common = 0;
      for (int j = 0; j < i; j++) {
        int same = common(documents.get(j).ids(), documents.get(i).ids());
        if (same > common) {
          common = same;
          like = j;
        }
      }
      for (int t = 0; t < documents.get(i).ids().length; t++) {
        if (t < common) {
          repeated.add(whole.size());
          whole.add(whole.get(starts[like] + t));
        } else {
          own.add(whole.size());
          whole.add(own.size() - 1);
        }
      }
    }
    if (repeated.size() * WORTH_ONE_OF < whole.size()) {
      return NONE;
    }
    int[] first = repeated.stream().mapToInt(whole::get).toArray();
    return new SharedRows(ints(whole), ints(own), ints(repeated), first);
  }

  private static int common(int[] a, int[] b) {
    int mismatch = Arrays.mismatch(a, b);
    return mismatch < 0 ? a.length : mismatch;
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }
}
