package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import rubricem.http.server.metrics.Metrics;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;

class ActiveEpisodesTest {
  private static final EpisodeId ID = new EpisodeId("e1");

  /**
   * Answers descriptions in the order given; the last answer has been given when the latch is open.
   */
  private static final class Described implements Episodes {
    final Queue<RuntimeException> answers = new ArrayDeque<>();
    final CountDownLatch asked;

    Described(RuntimeException... failures) {
      answers.addAll(java.util.List.of(failures));
      asked = new CountDownLatch(failures.length);
    }

    @Override
    public CompletionStage<EpisodeView> describe(EpisodeId id) {
      CompletableFuture<EpisodeView> answer = new CompletableFuture<>();
      RuntimeException failure = answers.remove();
      answer.completeExceptionally(
          failure.getCause() instanceof TimeoutException late ? late : failure);
      return answer.whenComplete((view, thrown) -> asked.countDown());
    }

    @Override
    public CompletionStage<EpisodeView> start(EpisodeId id, EpisodeRequest request) {
      throw new AssertionError("only descriptions are asked for");
    }

    @Override
    public CompletionStage<EpisodeView> cancel(EpisodeId id) {
      throw new AssertionError("only descriptions are asked for");
    }

    @Override
    public CompletionStage<EpisodeView> finish(EpisodeId id) {
      throw new AssertionError("only descriptions are asked for");
    }

    @Override
    public Watch watch(EpisodeId id, long after, Consumer<EpisodeProgress> watcher) {
      throw new AssertionError("nothing began that could be watched");
    }
  }

  @Test
  void a_place_is_given_back_once_it_is_known_that_nothing_began() throws Exception {
    RuntimeException late = new IllegalStateException(new TimeoutException());
    Described episodes = new Described(late, late, new Episodes.UnknownEpisode(ID));
    ActiveEpisodes active = new ActiveEpisodes(episodes, 1, new Metrics(), Duration.ofMillis(1));
    assertTrue(active.enter(ID));
    assertFalse(active.enter(new EpisodeId("e2")));
    active.leaveWhenKnown(ID);
    assertTrue(episodes.asked.await(10, TimeUnit.SECONDS));
    MemoryWorld.waitFor(() -> active.count() == 0, "the place is given back");
    assertTrue(active.enter(new EpisodeId("e2")));
  }
}
