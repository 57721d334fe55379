package rubricem.app.cli;

import java.util.concurrent.Callable;

/**
 * What the doctor found about one thing.
 *
 * @param message how it is; where it is not ok, what is wrong and what to do
 */
record Finding(String name, boolean ok, String message) {
  static Finding ok(String name, String message) {
    return new Finding(name, true, message);
  }

  static Finding problem(String name, String message) {
    return new Finding(name, false, message);
  }

  /** The outcome of an examination; one that breaks is itself a problem. */
  static Finding of(Callable<Finding> examination) {
    try {
      return examination.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return problem("doctor", "interrupted");
    } catch (Exception e) {
      return problem("doctor", "this could not be examined: " + e);
    }
  }
}
