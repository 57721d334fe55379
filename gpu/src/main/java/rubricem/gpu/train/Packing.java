package rubricem.gpu.train;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How documents become micro-batches: whole, longest first, each into the first micro-batch that
 * still has room. Documents of one length come to lie together, so that attention takes them at
 * once. Pure and without chance: the same lengths give the same packing.
 */
public sealed interface Packing {
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
