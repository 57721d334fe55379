package rubricem.gpu.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.weights.QwenShape;

/**
 * Draws sequences from a policy, many at once. A request waits for a slot, runs beside others
 * without being touched by them, and frees its slot with its last token. Weights can be replaced
 * while it runs: what runs ends on the version it began with, what begins later has the newer one,
 * and nothing that was computed with one version is used with another. Thread safe. Every request
 * that was taken is answered exactly once.
 */
public final class Generator implements AutoCloseable {
  /** A native call of one step is over in seconds; this is for one that is not. */
  private static final long STOP_MILLIS = 600_000;

  /** A request that was taken. */
  public interface Ticket {
    /** Never fails: how it went is in {@link Generation#finish}. */
    CompletionStage<Generation> result();

    /** Ends it with what it has, before its next token. */
    void cancel();
  }

  /**
   * What runs now.
   *
   * @param arrays native arrays of the workers; between steps only their caches
   * @param prefixes ended sequences kept for prompts that begin alike, one array each
   * @param prefixTokens tokens in them
   */
  public record Load(int running, int waiting, int arrays, int prefixes, long prefixTokens) {}

  private final GeneratorSettings settings;
  private final DecodeProgram program;
  private final CurrentSnapshot current;
  private final PrefixStore prefixes;
  private final RequestQueue queue;
  private final List<DecodeWorker> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** @param first stays the caller's too, who may close it at once */
  public Generator(Snapshot first, GeneratorSettings settings) {
    this(new DecodeProgram(first), first, settings);
  }

  /** @param program of the first weights; closed with this */
  Generator(DecodeProgram program, Snapshot first, GeneratorSettings settings) {
    this.settings = settings;
    this.program = program;
    current = new CurrentSnapshot(first);
    prefixes = new PrefixStore(program, settings.prefixTokens());
    queue = new RequestQueue(settings.queueMax(), settings.workers());
    for (int i = 0; i < settings.workers(); i++) {
      DecodeWorker worker = new DecodeWorker(program, settings, queue, current, prefixes);
      workers.add(worker);
      threads.add(Thread.ofPlatform().daemon(true).name("generator-" + i).start(worker));
    }
  }

  /** Most tokens of a sequence, prompt included. */
  public int context() {
    return Math.min(settings.context(), program.shape().maxPositions());
  }

  /** The version that new sequences begin with. */
  public long version() {
    return current.version();
  }

  public Ticket submit(GenerationRequest request) {
    return submit(List.of(request)).getFirst();
  }

  /**
   * All or none; equal prompts that come together are computed once.
   *
   * @throws QueueFull when they do not fit
   * @throws IllegalArgumentException for a prompt that no slot can hold, or an unknown token
   */
  public List<Ticket> submit(List<GenerationRequest> requests) {
    requests.forEach(this::check);
    List<RunningSequence> sequences = requests.stream().map(RunningSequence::new).toList();
    if (!queue.offer(sequences)) {
      throw new QueueFull(
          queue.isClosed()
              ? "the generator is closed"
              : queue.waiting() + " sequences wait already, at most " + settings.queueMax());
    }
    return sequences.stream().<Ticket>map(Taken::new).toList();
  }

  /** The context with the key that sets it, so that who meets its end knows what to change. */
  public String contextWords() {
    return contextWords(settings.context(), program.shape());
  }

  /** The same of a model that is not read yet. */
  public static String contextWords(int allowed, QwenShape shape) {
    return allowed < shape.maxPositions()
        ? allowed + " tokens (rubricem.generation.context)"
        : shape.maxPositions() + " tokens (max_position_embeddings in the model's config.json)";
  }

  private void check(GenerationRequest request) {
    int length = request.prompt().length;
    if (length >= context()) {
      throw new IllegalArgumentException(
          "a prompt of " + length + " tokens leaves no room in a context of " + contextWords());
    }
    for (int id : request.prompt()) {
      if (id < 0 || id >= program.shape().vocabulary()) {
        throw new IllegalArgumentException(
            "the prompt has the token " + id + " and the vocabulary is "
                + program.shape().vocabulary());
      }
    }
  }

  /**
   * New sequences begin with these weights from now on.
   *
   * @param next of a higher version; stays the caller's too
   */
  public void publish(Snapshot next) {
    if (!program.fits(next)) {
      throw new IllegalArgumentException("these weights are of another model or device");
    }
    current.replace(next);
    prefixes.forgetBefore(next.version());
    queue.wake();
  }

  public Load load() {
    return new Load(
        queue.running(), queue.waiting(), workers.stream().mapToInt(DecodeWorker::arrays).sum(),
        prefixes.arrays(), prefixes.tokens());
  }

  /** Ends what runs between two steps, and answers everything. */
  @Override
  public void close() {
    Finish closed = new Finish.Failed("closed", "the generator was closed");
    queue.close().forEach(sequence -> sequence.finish(closed, current.version()));
    boolean interrupted = false;
    for (Thread thread : threads) {
      try {
        thread.join(STOP_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      if (thread.isAlive()) {
        // its arrays cannot be freed under it
        Thread.currentThread().interrupt();
        return;
      }
    }
    prefixes.close();
    current.close();
    program.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Taken implements Ticket {
    private final RunningSequence sequence;

    private Taken(RunningSequence sequence) {
      this.sequence = sequence;
    }

    @Override
    public CompletionStage<Generation> result() {
      return sequence.result().minimalCompletionStage();
    }

    @Override
    public void cancel() {
      sequence.cancel();
      if (queue.remove(sequence)) {
        sequence.finish(new Finish.Cancelled(), current.version());
      }
    }
  }
}
