package rubricem.gpu.generate;

import ai.djl.ndarray.NDManager;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys and values of ended sequences, for prompts that begin with the same tokens: the next turn of
 * an episode, another rollout of a question. Entries of one version of the weights never serve
 * another; those of older versions go when a newer one is seen. Bounded by tokens, the longest
 * unused goes first. Shared by the workers; every method holds the one lock, for an array must not
 * be freed while another thread copies it.
 */
final class PrefixStore implements AutoCloseable {
  /** Shorter beginnings cost as much to find and copy as to compute. */
  private static final int TOKENS_MIN = 8;

  private record Entry(
      long version, int[] tokens, NDManager manager, rubricem.gpu.script.Arrays array) {}

  private final DecodeProgram program;
  private final long tokensMax;
  private final NDManager manager;
  private final Map<Integer, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private int next;
  private long tokens;
  private long newest = Long.MIN_VALUE;
  private boolean closed;

  PrefixStore(DecodeProgram program, long tokensMax) {
    this.program = program;
    this.tokensMax = tokensMax;
    manager = program.newManager();
  }

  /**
   * Copies the longest known beginning of a prompt into a slot.
   *
   * @return its length; less than the prompt, whose last token has to be computed for its logits
   */
  synchronized int restore(long version, int[] prompt, KvCache cache, int slot) {
    int bestKey = -1;
    int best = 0;
    for (Map.Entry<Integer, Entry> e : entries.entrySet()) {
      if (e.getValue().version() == version) {
        int common = common(e.getValue().tokens(), prompt);
        if (common > best) {
          best = common;
          bestKey = e.getKey();
        }
      }
    }
    if (best < TOKENS_MIN) {
      return 0;
    }
    Entry entry = entries.get(bestKey);
    program.restore(manager, cache.array(), entry.array(), slot, best);
    return best;
  }

  private static int common(int[] known, int[] prompt) {
    int mismatch = Arrays.mismatch(known, prompt);
    int common = mismatch < 0 ? known.length : mismatch;
    return Math.min(common, prompt.length - 1);
  }

  /** Keeps a slot whose first positions hold these tokens. */
  synchronized void save(long version, int[] held, KvCache cache, int slot) {
    forgetBefore(version);
    if (closed || version < newest || held.length < TOKENS_MIN || held.length > tokensMax) {
      return;
    }
    for (Iterator<Entry> i = entries.values().iterator(); i.hasNext(); ) {
      Entry entry = i.next();
      int mismatch = Arrays.mismatch(entry.tokens(), held);
      if (mismatch < 0 || mismatch == held.length) {
        return;
      }
      if (mismatch == entry.tokens().length) {
        i.remove();
        free(entry);
      }
    }
    for (Iterator<Entry> i = entries.values().iterator();
        tokens + held.length > tokensMax && i.hasNext(); ) {
      Entry oldest = i.next();
      i.remove();
      free(oldest);
    }
    NDManager owner = manager.newSubManager();
    rubricem.gpu.script.Arrays array =
        rubricem.gpu.script.Arrays.of("k", program.save(owner, cache.array(), slot, held.length));
    entries.put(next++, new Entry(version, held, owner, array));
    tokens += held.length;
  }

  synchronized void forgetBefore(long version) {
    if (version > newest) {
      newest = version;
      entries.values().removeIf(
          entry -> {
            free(entry);
            return true;
          });
    }
  }

  private void free(Entry entry) {
    tokens -= entry.tokens().length;
    entry.manager().close();
  }

  synchronized long tokens() {
    return tokens;
  }

  synchronized int arrays() {
    return entries.size();
  }

  @Override
  public synchronized void close() {
    closed = true;
    entries.clear();
    manager.close();
  }
}
