package rubricem.persistence.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeStatus;

class ReplayBenchTest {
  @Test
  void folds_every_event_it_has_written(@TempDir Path folder) {
    ReplayBench.Figures figures =
        ReplayBench.run(folder, new ReplayBench.Load(600, 10, 80, 200, 1));
    assertEquals(6_000, figures.events());
    assertTrue(figures.foldedPerSecond() > 0 && figures.foldAlonePerSecond() > 0);
  }

  @Test
  void its_episodes_have_the_length_asked_for_and_end_well() {
    List<EpisodeEvent> events =
        SampleEpisode.writes(7, 50, 400, 2_000).stream().flatMap(List::stream).toList();
    assertEquals(50, events.size());
    EpisodeState state = EpisodeFold.of(events);
    assertEquals(EpisodeStatus.COMPLETED, state.status());
    assertEquals(11 * 4, state.evidence().size());
  }
}
