package rubricem.protocol.port;

import java.util.concurrent.CompletionStage;

/**
 * A policy: given the history of an episode, writes the next turn in the scaffold grammar. The
 * stage never fails: what went wrong is a {@link PolicyOutcome.Failed}. It does not retry; whoever
 * calls it owns the retries.
 */
public interface PolicyModel {
  /** The specification it was made from, as a user would write it; holds no secret. */
  String spec();

  CompletionStage<PolicyOutcome> generate(PolicyRequest request, GenerationWatcher watcher);

  /** Ends a generation early; its stage completes with a failure of kind {@code cancelled}. */
  default void cancel(rubricem.protocol.CallId callId) {}
}
