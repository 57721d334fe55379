package rubricem.protocol.episode;

import java.time.Instant;
import java.util.Optional;
import rubricem.protocol.CallId;
import rubricem.protocol.Transient;
import rubricem.protocol.scaffold.Stage;

/**
 * What a watcher of an episode is told. Only {@link EventStored} is a fact; the rest is there to
 * look at and may be lost.
 */
public sealed interface EpisodeProgress extends Transient {
  /** @param sequence the event's number in the journal, from 1 without gaps */
  record EventStored(long sequence, EpisodeEvent event) implements EpisodeProgress {}

  /** Text of a turn that is being generated. */
  record TextGenerated(CallId callId, String delta) implements EpisodeProgress {}

  /** What was shown of this turn is void; it is generated again. */
  record TurnRestarted(CallId callId, String reason) implements EpisodeProgress {}

  /** Nothing happens until {@code until}, because of {@code reason}. */
  record Waiting(CallId callId, String reason, Instant until) implements EpisodeProgress {}

  /** The episode's stage, as far as the stored turns tell. */
  record StageEntered(Stage stage) implements EpisodeProgress {}

  /** The last word: the episode has ended, or there is none ({@code view} empty). */
  record WatchEnded(Optional<EpisodeView> view) implements EpisodeProgress {}
}
