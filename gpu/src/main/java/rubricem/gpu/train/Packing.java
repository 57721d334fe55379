package rubricem.gpu.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How documents become micro-batches: whole, longest first, each into the first micro-batch that
 * still has room. Documents of one length come to lie together, so that attention takes them at
 * once. Pure and without chance: the same lengths give the same packing.
 */
public sealed interface Packing {
  /** Less in common than a token in so many is not looked at. */
  int ALIKE_ONE_OF = 16;

  /** As many documents as fit into so many tokens; one that is longer has a micro-batch alone. */
  record Tokens(int budget) implements Packing {}

  /** So many documents each, in the order given. */
  record Documents(int count) implements Packing {}

  /** Indices of the documents of each micro-batch. */
  default List<int[]> pack(int[] lengths) {
    return switch (this) {
      case Tokens(int budget) -> byTokens(lengths, budget);
      case Documents(int count) -> byCount(lengths.length, count);
    };
  }

  private static List<int[]> byCount(int documents, int count) {
    List<int[]> out = new ArrayList<>();
    for (int from = 0; from < documents; from += count) {
      out.add(IntStream.range(from, Math.min(documents, from + count)).toArray());
    }
    return out;
  }

  private static List<int[]> byTokens(int[] lengths, int budget) {
    List<Integer> order =
        IntStream.range(0, lengths.length).boxed()
            .sorted(Comparator.comparingInt((Integer i) -> -lengths[i]).thenComparingInt(i -> i))
            .toList();
    List<List<Integer>> bins = new ArrayList<>();
    List<Integer> left = new ArrayList<>();
    for (int document : order) {
      int bin = 0;
      while (bin < bins.size() && left.get(bin) < lengths[document]) {
        bin++;
      }
      if (bin == bins.size()) {
        bins.add(new ArrayList<>());
        left.add(budget);
      }
      bins.get(bin).add(document);
      left.set(bin, left.get(bin) - lengths[document]);
    }
    return bins.stream().map(b -> b.stream().mapToInt(Integer::intValue).toArray()).toList();
  }

  /** So many micro-batches of nearly one size, or fewer where documents are few. */
  static List<int[]> even(int[] lengths, int count) {
    return share(lengths, count).stream()
        .filter(share -> !share.isEmpty())
        .map(share -> share.stream().mapToInt(Integer::intValue).toArray())
        .toList();
  }

  /** Whether a good part of the tokens are beginnings that another document has too. */
  static boolean beginAlike(List<int[]> documents) {
    List<Integer> order = byBeginning(documents);
    long tokens = documents.stream().mapToLong(ids -> ids.length).sum();
    long common = 0;
    for (int i = 1; i < order.size(); i++) {
      int[] before = documents.get(order.get(i - 1));
      int mismatch = Arrays.mismatch(before, documents.get(order.get(i)));
      common += mismatch < 0 ? before.length : mismatch;
    }
    return common * ALIKE_ONE_OF >= tokens && common > 0;
  }

  /** The same with documents that begin alike side by side. */
  static List<int[]> neighbours(List<int[]> documents, int count) {
    List<List<Integer>> packs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      packs.add(new ArrayList<>());
    }
    long tokens = documents.stream().mapToLong(ids -> ids.length).sum();
    long before = 0;
    for (int document : byBeginning(documents)) {
      int length = documents.get(document).length;
      packs.get((int) ((2 * before + length) * count / (2 * tokens))).add(document);
      before += length;
    }
    return packs.stream()
        .filter(pack -> !pack.isEmpty())
        .map(pack -> pack.stream().mapToInt(Integer::intValue).toArray())
        .toList();
  }

  private static List<Integer> byBeginning(List<int[]> documents) {
    return IntStream.range(0, documents.size()).boxed()
        .sorted(
            Comparator.comparing((Integer i) -> documents.get(i), Arrays::compare)
                .thenComparingInt(i -> i))
        .toList();
  }

  /** Shares micro-batches among workers: the largest first, each to who has least so far. */
  static List<List<Integer>> share(int[] tokens, int workers) {
    List<List<Integer>> out = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      out.add(new ArrayList<>());
    }
    long[] load = new long[workers];
    IntStream.range(0, tokens.length).boxed()
        .sorted(Comparator.comparingInt((Integer i) -> -tokens[i]).thenComparingInt(i -> i))
        .forEach(
            i -> {
              int least = 0;
              for (int w = 1; w < workers; w++) {
                least = load[w] < load[least] ? w : least;
              }
              out.get(least).add(i);
              load[least] += tokens[i];
            });
    return out;
  }
}
