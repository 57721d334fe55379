package rubricem.gpu.generate;

import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rubricem.gpu.model.Snapshot;

/**
 * The loop of one thread: begin what waits, draw one token for everything that runs, again. Its
 * caches belong to it alone. Sequences end on the version they began with: after a change of
 * weights the old batch runs out beside the new one, and while both run a third version waits.
 */
final class DecodeWorker implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(DecodeWorker.class);
  private static final int VERSIONS_MAX = 2;

  private final DecodeProgram program;
  private final GeneratorSettings settings;
  private final RequestQueue queue;
  private final CurrentSnapshot current;
  private final PrefixStore prefixes;
  private final NDManager manager;
  private final List<DecodeBatch> batches = new ArrayList<>();

  DecodeWorker(
      DecodeProgram program, GeneratorSettings settings, RequestQueue queue,
      CurrentSnapshot current, PrefixStore prefixes) {
    this.program = program;
    this.settings = settings;
    this.queue = queue;
    this.current = current;
    this.prefixes = prefixes;
    manager = program.newManager();
  }

  @Override
  public void run() {
    // both are settings of a thread
    JniUtils.setNumThreads(settings.threads());
    JniUtils.setGraphExecutorOptimize(false);
    try {
      while (!queue.isClosed()) {
        long seen = queue.changes();
        dropStale();
        admit();
        if (running() == 0) {
          queue.await(seen);
        } else {
          List.copyOf(batches).forEach(batch -> guarded(batch, batch::step));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  int running() {
    return batches.stream().mapToInt(DecodeBatch::size).sum();
  }

  /** Also from other threads. */
  int arrays() {
    return manager.getManagedArrays().size();
  }

  private void dropStale() {
    long newest = current.version();
    batches.removeIf(
        batch -> {
          boolean stale = batch.size() == 0 && batch.version() != newest;
          if (stale) {
            batch.close();
          }
          return stale;
        });
  }

  private void admit() {
    int free = settings.slotsEach() - running();
    if (free == 0 || queue.waiting() == 0) {
      return;
    }
    DecodeBatch batch = newestBatch();
    if (batch == null) {
      return;
    }
    List<RunningSequence> taken = queue.take(running(), free, room(batch));
    if (!taken.isEmpty()) {
      guarded(batch, () -> batch.admit(taken));
    }
  }

  private @org.jspecify.annotations.Nullable DecodeBatch newestBatch() {
    Snapshot weights = current.acquire();
    if (!batches.isEmpty() && batches.getLast().version() == weights.version()) {
      weights.close();
      return batches.getLast();
    }
    if (batches.size() == VERSIONS_MAX) {
      weights.close();
      return null;
    }
    batches.add(new DecodeBatch(program, settings, weights, prefixes, manager));
    return batches.getLast();
  }

  /** Whether a sequence finds room in the cache, those that were let in before it counted. */
  private Predicate<RunningSequence> room(DecodeBatch batch) {
    long others =
        batches.stream()
            .filter(other -> other != batch)
            .mapToLong(other -> (long) other.size() * other.longest())
            .sum();
    int[] planned = {batch.size(), batch.longest()};
    return sequence -> {
      int longest = Math.max(planned[1], batch.longest(sequence));
      boolean fits = others + (planned[0] + 1L) * longest <= settings.cacheTokensEach();
      if (!fits && (planned[0] > 0 || others > 0)) {
        return false;
      }
      planned[0]++;
      planned[1] = longest;
      return true;
    };
  }

  private interface Work {
    int run();
  }

  private void guarded(DecodeBatch batch, Work work) {
    try {
      queue.ended(work.run());
    } catch (RuntimeException e) {
      LOG.error("a batch of {} sequences failed", batch.size(), e);
      batches.remove(batch);
      queue.ended(
          batch.fail(new Finish.Failed("native", "the engine failed: " + e.getMessage())));
      batch.close();
    }
  }

  private void close() {
    Finish.Failed closed = new Finish.Failed("closed", "the generator was closed");
    for (DecodeBatch batch : batches) {
      queue.ended(batch.fail(closed));
      batch.close();
    }
    batches.clear();
    manager.close();
  }
}
