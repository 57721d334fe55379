package rubricem.protocol.episode;

import java.util.List;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeProgress.EventStored;

/** Stored events of episodes, for those who come later. */
public interface EventLog {
  /** The events after {@code after}, in order, at most {@code limit}. */
  CompletionStage<List<EventStored>> read(EpisodeId id, long after, int limit);
}
