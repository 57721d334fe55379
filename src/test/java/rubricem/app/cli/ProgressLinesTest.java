package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.ConfigFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import rubricem.app.node.NodeSettings;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeProgress;

/** What a person at a terminal reads while an episode runs. */
class ProgressLinesTest {
  /** As an episode tells it: the events of one write, and behind them the stage they led to. */
  private static List<String> told(List<EpisodeEvent> events, int stored) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
    EpisodeState state = EpisodeState.EMPTY;
    for (EpisodeEvent event : events.subList(0, stored)) {
      state = EpisodeFold.apply(state, event);
    }
    ProgressLines lines =
        new ProgressLines(
            new Console(to, to, false, false), NodeSettings.of(ConfigFactory.load()).episode(),
            state);
    for (int i = stored; i < events.size(); i++) {
      EpisodeState before = state;
      state = EpisodeFold.apply(state, events.get(i));
      lines.on(new EpisodeProgress.EventStored(i + 1L, events.get(i)));
      if (state.stage() != before.stage() && i % 2 == 1) {
        lines.on(new EpisodeProgress.StageEntered(state.stage()));
      }
    }
    return err.toString(StandardCharsets.UTF_8).lines()
        .map(line -> line.strip().replaceAll("^[0-9.]+ s +", "")).toList();
  }

  @Test
  void a_stage_is_named_before_what_happens_in_it_and_once() {
    List<String> lines = told(ReplayTest.episode(), 0);
    assertEquals(
        List.of(
            "searching 2 of 3 documents", "research", "local_search \"turn of the tide\"",
            "1 passage, 1 new", "answer", "checking the citations", "answered"),
        lines);
  }

  @Test
  void what_goes_on_names_the_stage_it_goes_on_with() {
    assertEquals("answer", told(ReplayTest.episode(), 6).getFirst());
  }
}
