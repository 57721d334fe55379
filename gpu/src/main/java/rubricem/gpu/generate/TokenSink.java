package rubricem.gpu.generate;

/**
 * Hears the tokens of one generation as they are drawn, on a worker's thread, and may end it. It
 * has to be quick: all sequences of the worker wait for it. What it throws fails its own sequence.
 */
@FunctionalInterface
public interface TokenSink {
  /** Hears nothing and ends nothing. */
  TokenSink NONE = id -> false;

  /** @return true: the text is complete with this token */
  boolean isLast(int id);
}
