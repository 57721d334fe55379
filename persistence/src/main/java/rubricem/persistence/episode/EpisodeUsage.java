package rubricem.persistence.episode;

import rubricem.protocol.port.TokenUsage;

/** What an episode has used so far. */
public record EpisodeUsage(
    int modelCalls,
    int toolCalls,
    long promptTokens,
    long completionTokens,
    double costUsd,
    int repeatedCalls,
    int violations) {
  static final EpisodeUsage NONE = new EpisodeUsage(0, 0, 0, 0, 0, 0, 0);

  public long tokens() {
    return promptTokens + completionTokens;
  }

  EpisodeUsage generated(TokenUsage usage) {
    return new EpisodeUsage(
        modelCalls + 1, toolCalls, promptTokens + usage.promptTokens(),
        completionTokens + usage.completionTokens(), costUsd + usage.costUsd(), repeatedCalls,
        violations);
  }

  EpisodeUsage called() {
    return new EpisodeUsage(
        modelCalls, toolCalls + 1, promptTokens, completionTokens, costUsd, repeatedCalls,
        violations);
  }

  EpisodeUsage repeated() {
    return new EpisodeUsage(
        modelCalls, toolCalls, promptTokens, completionTokens, costUsd, repeatedCalls + 1,
        violations);
  }

  EpisodeUsage violated(int more) {
    return new EpisodeUsage(
        modelCalls, toolCalls, promptTokens, completionTokens, costUsd, repeatedCalls,
        violations + more);
  }
}
