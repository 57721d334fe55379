package rubricem.protocol.port;

import java.util.Optional;

/** How one generation went. */
public sealed interface PolicyOutcome {
  /**
   * @param text the turn as generated, stop text included
   * @param thinking reasoning that the service delivered beside the text
   * @param modelVersion what the service says it ran
   */
  record Generated(
      String text,
      Optional<String> thinking,
      FinishReason finish,
      TokenUsage usage,
      String modelVersion)
      implements PolicyOutcome {}

  record Failed(CallFailure failure) implements PolicyOutcome {}
}
