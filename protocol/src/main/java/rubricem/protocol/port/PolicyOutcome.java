package rubricem.protocol.port;

import java.util.List;
import java.util.Optional;

/** How one generation went. */
public sealed interface PolicyOutcome {
  /**
   * @param text the turn as generated, stop text included
   * @param thinking reasoning that the service delivered beside the text
   * @param modelVersion what the service says it ran
   * @param notes what was left out of the text, one sentence each: further calls of the same turn, …
   */
  record Generated(
      String text,
      Optional<String> thinking,
      FinishReason finish,
      TokenUsage usage,
      String modelVersion,
      List<String> notes)
      implements PolicyOutcome {

    public Generated(
        String text,
        Optional<String> thinking,
        FinishReason finish,
        TokenUsage usage,
        String modelVersion) {
      this(text, thinking, finish, usage, modelVersion, List.of());
    }
  }

  /** @param usage what the service says the attempt cost all the same; never estimated */
  record Failed(CallFailure failure, TokenUsage usage) implements PolicyOutcome {
    public Failed(CallFailure failure) {
      this(failure, TokenUsage.NONE);
    }
  }
}
