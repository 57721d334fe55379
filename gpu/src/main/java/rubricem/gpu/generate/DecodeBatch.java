package rubricem.gpu.generate;

import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import rubricem.gpu.generate.DecodeProgram.Drawn;
import rubricem.gpu.model.Snapshot;

/**
 * The sequences of one worker that run on one version of the weights. Slot i of the cache is row i,
 * always: whoever ends is replaced by the last one, so the work follows the number of rows. It owns
 * one hold on its weights. One thread.
 */
final class DecodeBatch implements AutoCloseable {
  private final DecodeProgram program;
  private final GeneratorSettings settings;
  private final Snapshot weights;
  private final PrefixStore prefixes;
  private final NDManager manager;
  private final KvCache cache;
  private final int context;
  private final List<RunningSequence> rows = new ArrayList<>();

  /** @param weights held by the caller, who gives up the hold */
  DecodeBatch(
      DecodeProgram program, GeneratorSettings settings, Snapshot weights, PrefixStore prefixes,
      NDManager manager) {
    this.program = program;
    this.settings = settings;
    this.weights = weights;
    this.prefixes = prefixes;
    this.manager = manager;
    cache = new KvCache(program, manager);
    context = Math.min(settings.context(), weights.shape().maxPositions());
  }

  long version() {
    return weights.version();
  }

  int size() {
    return rows.size();
  }

  /** The longest that any of its sequences may become. */
  int longest() {
    return rows.stream().mapToInt(this::longest).max().orElse(0);
  }

  int longest(RunningSequence sequence) {
    GenerationRequest request = sequence.request();
    return (int) Math.min(context, (long) request.prompt().length + request.maxTokens());
  }

  /** Computes prompts and draws the first token of each. Gives how many ended with that. */
  int admit(List<RunningSequence> fresh) {
    int before = rows.size();
    List<Prefill> prompts = Prefill.group(fresh, before);
    prompts.forEach(prompt -> rows.addAll(prompt.sequences()));
    int positions = fresh.stream().mapToInt(s -> s.request().prompt().length).max().orElse(0);
    cache.ensure(before, rows.size(), settings.slotsEach(), positions, longest());
    for (Prefill prompt : prompts) {
      prompt.restored(
          prefixes.restore(version(), prompt.tokens(), cache, prompt.slot()));
    }
    BitSet ended = new BitSet();
    List<Prefill> left = new ArrayList<>(prompts);
    while (!left.isEmpty()) {
      PrefillChunk chunk = PrefillChunk.next(left, settings.promptChunk());
      compute(chunk, ended);
      left.removeIf(Prefill::isDone);
    }
    return remove(ended);
  }

  private void compute(PrefillChunk chunk, BitSet ended) {
    int used = rows.size();
    cache.ensure(used, used, settings.slotsEach(), chunk.seen(), longest());
    try (NDManager scope = manager.newSubManager()) {
      var logits =
          program.prompt(
              scope, weights, cache.array(), chunk.ids(), chunk.rows(), chunk.places(),
              chunk.isFresh(), chunk.seen());
      List<Prefill> done = chunk.advance();
      if (done.isEmpty()) {
        return;
      }
      List<RunningSequence> drawing = new ArrayList<>();
      List<Integer> slots = new ArrayList<>();
      List<Long> from = new ArrayList<>();
      for (Prefill prompt : done) {
        for (int i = 0; i < prompt.sequences().size(); i++) {
          RunningSequence sequence = prompt.sequences().get(i);
          if (i > 0) {
            cache.copy(prompt.slot(), prompt.slot() + i, prompt.tokens().length);
          }
          sequence.cached(prompt.tokens().length);
          sequence.reused(i > 0 ? prompt.tokens().length : prompt.reused());
          drawing.add(sequence);
          slots.add(prompt.slot() + i);
          from.add((long) chunk.indexOf(prompt));
        }
      }
      long[] rowsOf = from.stream().mapToLong(Long::longValue).toArray();
      Drawn drawn = program.draw(scope, logits, rowsOf, Draws.of(drawing));
      for (int i = 0; i < drawing.size(); i++) {
        settle(drawing.get(i), slots.get(i), drawn, i, ended);
      }
    }
  }

  /** One token for every row. Gives how many ended. */
  int step() {
    int ended = dropCancelled();
    int n = rows.size();
    if (n == 0) {
      return ended;
    }
    long[] tokens = new long[2 * n];
    int seen = 0;
    for (int i = 0; i < n; i++) {
      RunningSequence row = rows.get(i);
      tokens[i] = row.lastId();
      tokens[n + i] = row.cached();
      seen = Math.max(seen, row.cached() + 1);
    }
    cache.ensure(n, n, settings.slotsEach(), seen, longest());
    BitSet done = new BitSet();
    try (NDManager scope = manager.newSubManager()) {
      Drawn drawn =
          program.step(scope, weights, cache.array(), tokens, seen, Draws.of(rows));
      for (int i = 0; i < n; i++) {
        rows.get(i).cached(rows.get(i).cached() + 1);
        settle(rows.get(i), i, drawn, i, done);
      }
    }
    return ended + remove(done);
  }

  private void settle(
      RunningSequence sequence, int slot, Drawn drawn, int row, BitSet ended) {
    Optional<Finish> finish = accept(sequence, drawn, row);
    if (finish.isEmpty()) {
      return;
    }
    if (finish.get() instanceof Finish.Failed) {
      // what a mask hides has to be finite
      cache.wipe(slot);
    } else if (settings.prefixTokens() > 0) {
      prefixes.save(version(), sequence.cachedTokens(), cache, slot);
    }
    ended.set(slot);
    sequence.finish(finish.get(), version());
  }

  private Optional<Finish> accept(RunningSequence sequence, Drawn drawn, int row) {
    int id = drawn.id(row);
    if (id < 0) {
      return Optional.of(
          new Finish.Failed(
              "not_finite",
              "the model's numbers are not finite after " + sequence.cached() + " tokens"));
    }
    sequence.add(id, drawn.sampled(row), drawn.policy(row));
    GenerationRequest request = sequence.request();
    if (request.stopIds().contains(id)) {
      return Optional.of(new Finish.StopToken(id));
    }
    try {
      if (request.sink().isLast(id)) {
        return Optional.of(new Finish.StopText());
      }
    } catch (RuntimeException e) {
      return Optional.of(new Finish.Failed("listener", "the listener failed: " + e));
    }
    if (sequence.count() == request.maxTokens()) {
      return Optional.of(new Finish.MaxTokens());
    }
    return sequence.cached() >= context
        ? Optional.of(new Finish.CacheFull(context))
        : Optional.empty();
  }

  private int dropCancelled() {
    BitSet gone = new BitSet();
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).isCancelled()) {
        rows.get(i).finish(new Finish.Cancelled(), version());
        gone.set(i);
      }
    }
    return remove(gone);
  }

  private int remove(BitSet gone) {
    for (int i = gone.previousSetBit(rows.size()); i >= 0; i = gone.previousSetBit(i - 1)) {
      int last = rows.size() - 1;
      if (i < last) {
        cache.copy(last, i, rows.get(last).cached());
        rows.set(i, rows.get(last));
      }
      rows.removeLast();
    }
    return gone.cardinality();
  }

  /** Ends all of them without a result. */
  int fail(Finish.Failed failure) {
    rows.forEach(row -> row.finish(failure, version()));
    int ended = rows.size();
    rows.clear();
    return ended;
  }

  @Override
  public void close() {
    cache.close();
    weights.close();
  }
}
