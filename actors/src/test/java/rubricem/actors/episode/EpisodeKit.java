package rubricem.actors.episode;

import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An actor system for the episodes of one test class, ended with it. */
final class EpisodeKit implements AfterAllCallback {
  final ActorTestKit actors = ActorTestKit.create("episodes", EpisodeRig.config());

  @Override
  public void afterAll(ExtensionContext context) {
    actors.shutdownTestKit();
  }
}
