package rubricem.app.run;

/** A run that cannot be begun or gone on with; the message tells the user why and what to do. */
public final class RunUnusableException extends RuntimeException {
  RunUnusableException(String message) {
    super(message);
  }
}
