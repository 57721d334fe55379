package rubricem.actors.episode;

import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.pattern.StatusReply;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;

/**
 * The write that an episode has on its way, and who waits for it. A write that fails restarts the
 * entity, and its own answer is lost with the command: this outlives the restart, so that whoever
 * waits hears what became of it.
 */
final class WriteUnderWay {
  private int events;
  private long before;
  private Optional<ActorRef<StatusReply<EpisodeView>>> waiting = Optional.empty();

  /**
   * A write begins.
   *
   * @param storedBefore how many events there are without it
   */
  void begins(
      int written, long storedBefore, Optional<ActorRef<StatusReply<EpisodeView>>> replyTo) {
    events = written;
    before = storedBefore;
    waiting = replyTo;
  }

  /** It is stored, and whoever waits is answered by others. */
  void ended() {
    events = 0;
    waiting = Optional.empty();
  }

  /**
   * After a failed write: was it stored after all, or was nothing done?
   *
   * @param stored events there are now
   * @return who waits for the state as it is; those of whose command nothing was stored are told
   */
  Optional<ActorRef<StatusReply<EpisodeView>>> recovered(long stored) {
    Optional<ActorRef<StatusReply<EpisodeView>>> asker = waiting;
    waiting = Optional.empty();
    if (stored > before) {
      return asker;
    }
    asker.ifPresent(to -> to.tell(StatusReply.error(Episodes.NotStored.SAID)));
    return Optional.empty();
  }

  /**
   * After a failed write the journal refuses each of its events. All refusals but the first meet an
   * entity that restarts, are stashed with the commands that come meanwhile, and when their turn
   * comes Pekko takes no more from the stash until there is another command: so there are as many.
   */
  void nudge(ActorRef<EpisodeCommand> entity) {
    for (; events > 0; events--) {
      entity.tell(PrivateMessage.Nudge.NOW);
    }
  }
}
