package rubricem.protocol.port;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Duration;
import java.util.Optional;

/** Why a call outside failed. Whether it may be repeated is its type, never its message. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "retry")
@JsonSubTypes({
  @JsonSubTypes.Type(value = CallFailure.Transient.class, name = "transient"),
  @JsonSubTypes.Type(value = CallFailure.Terminal.class, name = "terminal")
})
public sealed interface CallFailure {
  /** A short stable word: {@code timeout}, {@code stalled}, {@code rate_limit}, {@code auth}, … */
  String kind();

  /** One sentence for a person; holds no secret and is never content. */
  String message();

  /** @param retryAfter what the service asked us to wait, where it did */
  record Transient(String kind, String message, Optional<Duration> retryAfter)
      implements CallFailure {}

  record Terminal(String kind, String message) implements CallFailure {}
}
