package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeStatus;

/** Those who watch an episode: everything once, in order, whenever they come. */
class EpisodeWatchersTest {
  @RegisterExtension static final EpisodeKit KIT = new EpisodeKit();

  private final EpisodeRig rig = new EpisodeRig(KIT.actors);

  @Test
  void R18_every_watcher_sees_every_event_once_and_in_order_whenever_it_comes() {
    rig.start();
    TestProbe<EpisodeProgress> early = rig.watch(0);
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    FakePorts.Search search = rig.fake.search();
    TestProbe<EpisodeProgress> middle = rig.watch(0);
    TestProbe<EpisodeProgress> resumed = rig.watch(3);
    search.finds(Talk.passage(1));
    rig.fake.generation().says(Talk.ANSWER);
    rig.fake.check().complete(List.of());
    List<EventStored> all = rig.toldOf(early);
    TestProbe<EpisodeProgress> late = rig.watch(0);
    assertEquals(rig.stored(), all);
    assertEquals(all, rig.toldOf(middle));
    assertEquals(all.subList(3, all.size()), rig.toldOf(resumed));
    assertEquals(all, rig.toldOf(late));
    assertEquals(
        LongStream.rangeClosed(1, all.size()).boxed().toList(),
        all.stream().map(EventStored::sequence).toList());
  }

  @Test
  void events_stored_while_a_history_is_read_come_once_and_behind_it() {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    var log = rig.fake.log;
    rig.fake.log =
        (id, after, limit) ->
            log.read(id, after, limit).thenCombine(gate, (events, open) -> events);
    rig.start();
    FakePorts.Generation first = rig.fake.generation();
    TestProbe<EpisodeProgress> watcher = rig.watch(0);
    first.says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search();
    gate.complete(null);
    rig.cancel();
    List<EventStored> told = rig.toldOf(watcher);
    assertEquals(rig.stored(), told);
  }

  @Test
  void a_watcher_that_asks_twice_is_told_once() {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    var log = rig.fake.log;
    rig.fake.log =
        (id, after, limit) ->
            log.read(id, after, limit).thenCombine(gate, (events, open) -> events);
    rig.search();
    CompletableFuture<List<rubricem.protocol.report.ClaimVerdict>> check = rig.fake.check();
    TestProbe<EpisodeProgress> watcher = rig.watch(0);
    rig.episode.tell(
        new rubricem.protocol.episode.EpisodeCommand.WatchEpisode(0, watcher.getRef()));
    rig.describe();
    gate.complete(null);
    check.complete(List.of());
    List<EventStored> told = rig.toldOf(watcher);
    assertEquals(rig.stored(), told);
  }

  @Test
  void a_history_that_cannot_be_read_is_read_again() {
    var log = rig.fake.log;
    rig.run();
    rig.fake.log =
        (id, after, limit) -> {
          rig.fake.log = log;
          return CompletableFuture.failedStage(new IllegalStateException("the disk is busy"));
        };
    List<EventStored> told = rig.toldOf(rig.watch(0));
    assertEquals(rig.stored(), told);
  }

  @Test
  void text_that_is_being_generated_is_progress_and_no_event() {
    rig.start();
    FakePorts.Generation first = rig.fake.generation();
    TestProbe<EpisodeProgress> watcher = rig.watch(2);
    rig.describe();
    first.watcher().onText("The mo");
    first.watcher().onRestart("stalled");
    assertEquals(
        new EpisodeProgress.TextGenerated(first.request().callId(), "The mo"),
        watcher.receiveMessage());
    assertEquals(
        new EpisodeProgress.TurnRestarted(first.request().callId(), "stalled"),
        watcher.receiveMessage());
    assertEquals(2, rig.stored().size());
  }

  @Test
  void a_watcher_that_stops_is_forgotten() {
    rig.start();
    TestProbe<EpisodeProgress> gone = rig.watch(0);
    gone.receiveMessage();
    gone.stop();
    rig.fake.generation().fails(Talk.refused());
    assertEquals(EpisodeStatus.FAILED, rig.ended().status());
  }
}
