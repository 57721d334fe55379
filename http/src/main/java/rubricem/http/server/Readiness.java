package rubricem.http.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Whether the server takes new work: not before its documents can be searched, not where there are
 * none, not while what it stores in is in trouble, and not once it stops. There is one question and
 * one answer, {@link #check}; who would rather wait for the documents than be refused has {@link
 * #decided}. What runs and what is stored can be asked for all the time.
 */
public final class Readiness {
  /** @param passing whether the same question may be taken in a moment */
  private record State(String reason, boolean passing) {}

  private static final State READY = new State("", false);

  private volatile String note = "";
  private volatile Supplier<String> watched = () -> "";
  private volatile State state = new State("It is starting. Ask again in a moment.", true);
  private CompletableFuture<Void> decided = new CompletableFuture<>();
  private boolean stopped;

  public void ready() {
    decide(READY, false);
  }

  /** @param reason one sentence for whoever asks before it is decided */
  public synchronized void notReady(String reason) {
    if (!stopped) {
      state = new State(reason, true);
      if (decided.isDone()) {
        decided = new CompletableFuture<>();
      }
    }
  }

  /** For as long as this process lives: asking again changes nothing. */
  public void refuse(String reason) {
    decide(new State(reason, false), false);
  }

  /** Nothing is taken any more; the next process may. */
  public void stop(String reason) {
    decide(new State(reason, true), true);
  }

  private void decide(State now, boolean last) {
    CompletableFuture<Void> told;
    synchronized (this) {
      if (stopped) {
        return;
      }
      state = now;
      stopped = last;
      told = decided;
    }
    // whoever waited goes on in this very call
    told.complete(null);
  }

  /** Completes once it is known whether questions are taken; may never. */
  public synchronized CompletionStage<Void> decided() {
    return decided.copy();
  }

  /**
   * Looks for what can go wrong with what is below, each time somebody asks.
   *
   * @param trouble one sentence without paths, or empty; cheap, and fails never
   */
  public void watch(Supplier<String> trouble) {
    watched = trouble;
  }

  /** What is wrong with what is below now; empty where nothing is known to be. */
  public String trouble() {
    return watched.get();
  }

  /** @param what one sentence on what works less well than it should, though work is taken */
  public void limited(String what) {
    note = what;
  }

  /** What works less well; empty where everything does. */
  public String note() {
    return note;
  }

  /** Refuses where no work is taken, and says when to come back where that may help. */
  public void check() {
    State now = state.reason().isEmpty() ? new State(watched.get(), true) : state;
    if (!now.reason().isEmpty()) {
      Problem problem = Problem.of(Problem.Kind.NOT_READY, now.reason());
      throw (now.passing() ? problem.with("Retry-After", "2") : problem).refusal();
    }
  }
}
