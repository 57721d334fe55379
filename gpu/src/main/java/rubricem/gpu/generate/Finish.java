package rubricem.gpu.generate;

/** Why a generation ended. */
public sealed interface Finish {
  /** A token that ends texts; it is the last of the result. */
  record StopToken(int id) implements Finish {}

  /** Whoever listened said that the text is complete. */
  record StopText() implements Finish {}

  /** As many tokens as were asked for. */
  record MaxTokens() implements Finish {}

  /** The sequence is as long as a cache or the model allows. */
  record CacheFull(int positions) implements Finish {}

  record Cancelled() implements Finish {}

  /**
   * Nothing that came of it is to be used.
   *
   * @param kind a short stable word: {@code not_finite}, {@code listener}, {@code closed}, {@code
   *     native}
   * @param message one sentence for a person
   */
  record Failed(String kind, String message) implements Finish {}
}
