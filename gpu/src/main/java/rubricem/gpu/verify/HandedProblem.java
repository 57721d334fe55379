package rubricem.gpu.verify;

/** A handed case that cannot be computed, or has no counterpart. The message is for the user. */
final class HandedProblem extends RuntimeException {
  HandedProblem(String message) {
    super(message);
  }
}
