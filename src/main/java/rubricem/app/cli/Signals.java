package rubricem.app.cli;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import rubricem.gpu.device.AbruptEnd;

/**
 * The signals that end a server, or a command of the learner. They are taken before the process
 * begins to die, so that stopping has the whole program at its hands and chooses the exit code; a
 * second one ends it at once. The JDK's class for them is reached by name, because the compiler
 * refuses to know it.
 */
final class Signals {
  private static final int INTERRUPTED = 130;

  private final CompletableFuture<Integer> first = new CompletableFuture<>();

  private Signals() {}

  static Signals taken() {
    Signals signals = new Signals();
    signals.take("INT", INTERRUPTED);
    signals.take("TERM", 0);
    return signals;
  }

  private void take(String name, int code) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object taking =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(), new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle") && !first.complete(code)) {
                  AbruptEnd.with(INTERRUPTED);
                }
                return null;
              });
      signal.getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), taking);
    } catch (ReflectiveOperationException e) {
      // another JDK: the signal ends the process as it always does; nothing stored is lost by that
      org.slf4j.LoggerFactory.getLogger(Signals.class).warn("no signal {} is taken", name, e);
    }
  }

  /** Whether one has come. */
  boolean came() {
    return first.isDone();
  }

  /** Runs when the first comes; at once where it has. */
  void onFirst(Runnable told) {
    first.thenRun(told);
  }

  /** Waits for the first; gives the exit code it asks for. */
  int await() {
    try {
      return first.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return INTERRUPTED;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
