package rubricem.http.server;

import java.util.function.Supplier;

/**
 * Whether the server takes new work: not before its documents can be searched, and not once it
 * stops. What runs and what is stored can be asked for all the time.
 */
public final class Readiness {
  private volatile String note = "";
  private volatile Supplier<String> watched = () -> "";
  private volatile String why = "It is starting. Ask again in a moment.";

  public void ready() {
    why = "";
  }

  /** @param reason one sentence for whoever asks */
  public void notReady(String reason) {
    why = reason;
  }

  /**
   * Looks for what can go wrong with what is below, each time somebody asks.
   *
   * @param trouble one sentence without paths, or empty; cheap, and fails never
   */
  public void watch(Supplier<String> trouble) {
    watched = trouble;
  }

  /** @param what one sentence on what works less well than it should, though work is taken */
  public void limited(String what) {
    note = what;
  }

  /** What works less well; empty where everything does. */
  public String note() {
    return note;
  }

  public boolean isReady() {
    return why.isEmpty();
  }

  /** Why not; empty when it is ready. */
  public String reason() {
    return why;
  }

  public void check() {
    String reason = why.isEmpty() ? watched.get() : why;
    if (!reason.isEmpty()) {
      throw Problem.of(Problem.Kind.NOT_READY, reason).with("Retry-After", "2").refusal();
    }
  }
}
