package rubricem.protocol.episode;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.pattern.StatusReply;
import rubricem.protocol.Transient;

/** What can be asked of an episode. Every command may be sent twice. */
public sealed interface EpisodeCommand extends Transient {
  EntityTypeKey<EpisodeCommand> KEY =
      EntityTypeKey.create(EpisodeCommand.class, "ResearchEpisode");

  /** Starts it; the same request again gives the same episode, another one is refused. */
  record StartEpisode(EpisodeRequest request, ActorRef<StatusReply<EpisodeView>> replyTo)
      implements EpisodeCommand {}

  /** The episode as it stands; refused where there is none. */
  record DescribeEpisode(ActorRef<StatusReply<EpisodeView>> replyTo) implements EpisodeCommand {}

  /**
   * Tells {@code watcher} every event after {@code after}, then everything new, then the end.
   * A watcher that stops is forgotten.
   */
  record WatchEpisode(long after, ActorRef<EpisodeProgress> watcher) implements EpisodeCommand {}

  /** Ends it within two seconds, whatever it waits for. */
  record CancelEpisode(ActorRef<StatusReply<EpisodeView>> replyTo) implements EpisodeCommand {}

  /** Stops exploring and writes from the evidence. */
  record FinishEpisode(ActorRef<StatusReply<EpisodeView>> replyTo) implements EpisodeCommand {}

  /**
   * Lets a failed episode go on from its evidence; one that runs or has ended well is left alone.
   */
  record ResumeEpisode(String policy, ActorRef<StatusReply<EpisodeView>> replyTo)
      implements EpisodeCommand {}

  /** The one door for messages of the entity to itself. */
  non-sealed interface Internal extends EpisodeCommand {}
}
