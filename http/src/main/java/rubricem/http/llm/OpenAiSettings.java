package rubricem.http.llm;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How to speak to one Chat Completions server. Every bound of the client is here, with the default
 * that fits a server on the same network as well as a hosted one.
 *
 * @param streaming whether to ask for a stream; without it a stalled model is noticed only by the
 *     whole timeout
 * @param stop what ends a turn; servers allow four at most. Empty for models that refuse it
 * @param includeStopInOutput asks vLLM to keep the stop string; other servers may refuse the field
 * @param replayReasoning sends earlier thinking under the server's own field name instead of inside
 *     the text; takes effect once the server has used such a field
 */
public record OpenAiSettings(
    Dialect dialect,
    boolean streaming,
    List<String> stop,
    boolean includeStopInOutput,
    MaxTokensField maxTokensField,
    boolean replayReasoning,
    Sampling sampling,
    Timeouts timeouts,
    Bounds bounds,
    Prices prices,
    Breaking breaking) {

  /** How a call is written between us and the server. */
  public enum Dialect {
    /** The scaffold's own tags in the text; any server can do that. */
    TEXT,
    /** Function definitions and {@code tool_calls}. */
    TOOLS
  }

  /** The name of the output limit; newer models of OpenAI know the second only. */
  public enum MaxTokensField {
    MAX_TOKENS("max_tokens"),
    MAX_COMPLETION_TOKENS("max_completion_tokens");

    private final String wire;

    MaxTokensField(String wire) {
      this.wire = wire;
    }

    public String wire() {
      return wire;
    }
  }

  /** @param sendSeed whether the request's seed is sent; some servers refuse the field */
  public record Sampling(Optional<Double> temperature, Optional<Double> topP, boolean sendSeed) {}

  /**
   * @param connect until the connection stands
   * @param firstByte until the first event; covers queueing and reading a long prompt
   * @param idle between two events; heartbeat comments prove a proxy, not a model, and do not count
   */
  public record Timeouts(Duration connect, Duration firstByte, Duration idle) {}

  /**
   * @param responseBytes most bytes of one response
   * @param eventChars most characters of one event
   * @param errorBytes most bytes read of an error page
   * @param inFlight most generations at once
   * @param retryAfter longest wait taken over from a server
   */
  public record Bounds(
      int responseBytes, int eventChars, int errorBytes, int inFlight, Duration retryAfter) {}

  /** Per million tokens; zero for one's own server. */
  public record Prices(double promptUsd, double completionUsd) {}

  /**
   * @param failures connections in a row that must fail before the server counts as dead
   * @param openFor how long a dead server is left alone before one request tries it again
   */
  public record Breaking(int failures, Duration openFor) {}

  public static OpenAiSettings defaults() {
    return new OpenAiSettings(
        Dialect.TEXT,
        true,
        List.of("</call_tool>", "</call>", "</answer>"),
        false,
        MaxTokensField.MAX_TOKENS,
        false,
        new Sampling(Optional.empty(), Optional.empty(), true),
        new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(120), Duration.ofSeconds(30)),
        new Bounds(16 << 20, 1 << 20, 64 << 10, 256, Duration.ofMinutes(10)),
        new Prices(0, 0),
        new Breaking(5, Duration.ofSeconds(15)));
  }

  public OpenAiSettings with(Dialect other) {
    return new OpenAiSettings(other, streaming, stop, includeStopInOutput, maxTokensField,
        replayReasoning, sampling, timeouts, bounds, prices, breaking);
  }

  public OpenAiSettings with(Timeouts other) {
    return new OpenAiSettings(dialect, streaming, stop, includeStopInOutput, maxTokensField,
        replayReasoning, sampling, other, bounds, prices, breaking);
  }

  public OpenAiSettings with(Bounds other) {
    return new OpenAiSettings(dialect, streaming, stop, includeStopInOutput, maxTokensField,
        replayReasoning, sampling, timeouts, other, prices, breaking);
  }

  public OpenAiSettings with(Sampling other) {
    return new OpenAiSettings(dialect, streaming, stop, includeStopInOutput, maxTokensField,
        replayReasoning, other, timeouts, bounds, prices, breaking);
  }

  public OpenAiSettings with(Prices other) {
    return new OpenAiSettings(dialect, streaming, stop, includeStopInOutput, maxTokensField,
        replayReasoning, sampling, timeouts, bounds, other, breaking);
  }

  public OpenAiSettings with(Breaking other) {
    return new OpenAiSettings(dialect, streaming, stop, includeStopInOutput, maxTokensField,
        replayReasoning, sampling, timeouts, bounds, prices, other);
  }

  public OpenAiSettings withStreaming(boolean other) {
    return new OpenAiSettings(dialect, other, stop, includeStopInOutput, maxTokensField,
        replayReasoning, sampling, timeouts, bounds, prices, breaking);
  }

  /** As vLLM likes it: it keeps the stop string itself. */
  public OpenAiSettings withIncludeStopInOutput(boolean other) {
    return new OpenAiSettings(dialect, streaming, stop, other, maxTokensField,
        replayReasoning, sampling, timeouts, bounds, prices, breaking);
  }

  public OpenAiSettings withReplayReasoning(boolean other) {
    return new OpenAiSettings(dialect, streaming, stop, includeStopInOutput, maxTokensField,
        other, sampling, timeouts, bounds, prices, breaking);
  }
}
