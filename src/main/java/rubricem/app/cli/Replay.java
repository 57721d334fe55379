package rubricem.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import rubricem.actors.episode.EpisodeRecheck;
import rubricem.actors.episode.EpisodeRecheck.Checked;
import rubricem.actors.episode.EpisodeSettings;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.EpisodeUsage;
import rubricem.persistence.journal.JournalReader;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;

/**
 * The views of one stored episode. What is asked for goes to standard output; headings and totals,
 * which are there to be looked at, go beside it. Reads and changes nothing.
 */
record Replay(Console console, boolean json, JournalReader journal) {
  /** One line or one JSON object an event. */
  void events(EpisodeId id) {
    if (json) {
      journal.read(id, 0, (sequence, event) -> print(DurableFormat.json(sequence, event)));
      return;
    }
    ReplayLines lines = new ReplayLines();
    console.say(ReplayLines.heading());
    journal.read(
        id, 0,
        (sequence, event) -> {
          console.out(lines.line(sequence, event) + "\n");
          return true;
        });
    total(lines.state());
  }

  /** Every event with its whole texts. */
  void full(EpisodeId id) {
    if (json) {
      events(id);
      return;
    }
    ReplayLines lines = new ReplayLines();
    journal.read(
        id, 0,
        (sequence, event) -> {
          String head = lines.head(sequence, event).stripTrailing();
          String usage =
              ReplayLines.usage(event)
                  .map(u -> "  " + ReplayLines.shown(u).strip().replaceAll(" +", " "))
                  .orElse("");
          console.out(head + usage + "\n" + ReplayTexts.of(event));
          return true;
        });
    total(lines.state());
  }

  private void total(EpisodeState state) {
    EpisodeUsage u = state.usage();
    console.say(
        EventSummary.counted(state.events(), "event") + ", "
            + EventSummary.counted(state.turns().size(), "turn") + ", "
            + EventSummary.counted(u.toolCalls(), "tool call") + ", "
            + u.promptTokens() + "+" + u.completionTokens() + " tokens"
            + (u.costUsd() == 0 ? "" : ", " + ReplayLines.cost(u.costUsd())) + "; "
            + state.status().label() + state.outcome().map(o -> " (" + o.label() + ")").orElse("")
            + state.started()
                .map(s -> " after "
                    + ReplayLines.seconds(Duration.between(s.at(), state.lastAt())))
                .orElse(""));
  }

  /** The state after event {@code until}. */
  void until(EpisodeId id, long until) {
    EpisodeState[] then = {EpisodeState.EMPTY};
    long[] last = {0};
    journal.read(
        id, 0,
        (sequence, event) -> {
          if (sequence <= until) {
            then[0] = EpisodeFold.apply(then[0], event);
          }
          last[0] = sequence;
          return true;
        });
    if (until < 1 || until > last[0]) {
      throw Failure.usage(
          "--until must be from 1 to " + last[0] + ": episode " + id + " has " + last[0]
              + " events.");
    }
    if (json) {
      print(ReplayState.json(then[0]));
    } else {
      console.out(ReplayState.summary(then[0], last[0]));
    }
  }

  /** Decides everything again; the exit code. */
  int check(EpisodeId id, EpisodeSettings settings) {
    List<EpisodeEvent> events = new ArrayList<>();
    journal.read(
        id, 0,
        (sequence, event) -> {
          if (sequence != events.size() + 1) {
            throw Failure.work(
                id + ": event " + (events.size() + 1) + " is missing in the journal; event "
                    + sequence + " comes next.");
          }
          return events.add(event);
        });
    Checked checked = new EpisodeRecheck(settings).check(events);
    if (json) {
      print(ReplayCheck.json(id, checked));
    } else {
      console.out(ReplayCheck.text(id, checked));
    }
    return checked.divergence().isPresent() ? Failure.WORK_FAILED : 0;
  }

  private boolean print(JsonNode node) {
    console.out(TerminalText.json(node.toString()) + "\n");
    return true;
  }
}
