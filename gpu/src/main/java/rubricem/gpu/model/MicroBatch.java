package rubricem.gpu.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Documents that go through the model together, one after another without padding: positions
 * begin anew with each, attention stays within each, what they begin with in common is there once.
 *
 * @param ids tokens of all documents
 * @param positions of each token in its document
 * @param groups (count, length) of neighbouring documents of one length, in order
 * @param rows tokens whose successor is scored, document by document
 * @param targets the successors
 * @param shared what documents have in common
 */
public record MicroBatch(
    int[] ids, int[] positions, int[][] groups, int[] rows, int[] targets, SharedRows shared) {
  /** Documents of which each is there whole. */
  public MicroBatch(int[] ids, int[] positions, int[][] groups, int[] rows, int[] targets) {
    this(ids, positions, groups, rows, targets, SharedRows.NONE);
  }

  public MicroBatch {
    if (ids.length == 0 || rows.length == 0) {
      throw new IllegalArgumentException("a micro-batch needs tokens and something to score");
    }
    if (ids.length != positions.length || rows.length != targets.length) {
      throw new IllegalArgumentException("lengths differ");
    }
  }

  /**
   * A document and the tokens of it that are scored.
   *
   * @param ids at least one
   * @param scored for each token, whether its log-probability given those before it is wanted;
   *     never the first
   */
  public record Document(int[] ids, boolean[] scored) {
    public Document {
      if (ids.length == 0 || ids.length != scored.length || scored[0]) {
        throw new IllegalArgumentException(
            "a document has tokens, a flag for each, and nothing before its first to score it by");
      }
    }

    /** Every token but the first is scored. */
    public static Document whole(int[] ids) {
      boolean[] scored = new boolean[ids.length];
      java.util.Arrays.fill(scored, 1, ids.length, true);
      return new Document(ids, scored);
    }
  }

  /** Lays documents one after another, in the order given. */
  public static MicroBatch of(List<Document> documents) {
    SharedRows shared = SharedRows.of(documents);
    int tokens = shared.rows(documents.stream().mapToInt(d -> d.ids().length).sum());
    int[] ids = new int[tokens];
    int[] positions = new int[tokens];
    List<int[]> groups = new ArrayList<>();
    List<Integer> rows = new ArrayList<>();
    List<Integer> targets = new ArrayList<>();
    int at = 0;
    for (Document document : documents) {
      int length = document.ids().length;
      for (int i = 0; i < length; i++) {
        ids[shared.row(at + i)] = document.ids()[i];
        positions[shared.row(at + i)] = i;
        if (document.scored()[i]) {
          rows.add(shared.row(at + i - 1));
          targets.add(document.ids()[i]);
        }
      }
      if (!groups.isEmpty() && groups.getLast()[1] == length) {
        groups.getLast()[0]++;
      } else {
        groups.add(new int[] {1, length});
      }
      at += length;
    }
    return new MicroBatch(
        ids, positions, groups.toArray(int[][]::new), ints(rows), ints(targets), shared);
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }
}
