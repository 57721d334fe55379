package rubricem.actors.episode;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeProgress.EventStored;

/** What an episode tells itself. */
sealed interface PrivateMessage extends EpisodeCommand.Internal {
  record InputCame(EpisodeInput input) implements PrivateMessage {}

  record TextCame(CallId callId, String delta) implements PrivateMessage {}

  record TurnVoid(CallId callId, String reason) implements PrivateMessage {}

  record WatcherGone(ActorRef<EpisodeProgress> watcher) implements PrivateMessage {}

  record HistoryRead(ActorRef<EpisodeProgress> watcher, List<EventStored> events)
      implements PrivateMessage {}

  record HistoryWanted(ActorRef<EpisodeProgress> watcher) implements PrivateMessage {}

  enum LeaveMemory implements PrivateMessage {
    NOW
  }

  /** The call in flight may be a slow one. */
  record LookAtWait(CallId callId) implements PrivateMessage {}

  /** Makes Pekko look into its stash once more. */
  enum Nudge implements PrivateMessage {
    NOW
  }

  enum Stop implements PrivateMessage {
    NOW
  }
}
