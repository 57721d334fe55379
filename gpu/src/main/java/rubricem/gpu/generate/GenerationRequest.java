package rubricem.gpu.generate;

import java.util.Set;

/**
 * One sequence to be continued.
 *
 * @param prompt tokens, at least one
 * @param maxTokens most tokens to draw
 * @param stopIds tokens that end it; the one that did is part of the result
 */
public record GenerationRequest(
    int[] prompt, int maxTokens, Sampling sampling, Set<Integer> stopIds, TokenSink sink) {
  public GenerationRequest {
    if (prompt.length == 0 || maxTokens < 1) {
      throw new IllegalArgumentException("a generation needs a prompt and at least one token");
    }
    stopIds = Set.copyOf(stopIds);
  }

  public GenerationRequest(int[] prompt, int maxTokens, Sampling sampling) {
    this(prompt, maxTokens, sampling, Set.of(), TokenSink.NONE);
  }
}
