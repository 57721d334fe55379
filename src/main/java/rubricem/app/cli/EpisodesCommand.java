package rubricem.app.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import rubricem.persistence.episode.EpisodeProjection;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.folder.DataFolder;
import rubricem.persistence.journal.JournalReader;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.persistence.serialization.UnknownKind;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeView;

/** {@code episodes}: what is stored, newest first. */
@Command(name = "episodes", description = "Lists stored episodes, newest first.",
    footer = {
      "",
      "A line has id, time, status, outcome, duration and question. Status: running; interrupted"
          + " (its process ended, go on with ./rubricem ask --resume ID); completed; failed"
          + " (--resume tries again); cancelled.",
      "With --json: JSON Lines, one episode object a line."
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class EpisodesCommand implements Callable<Integer> {
  private static final int QUESTION_COLUMNS = 60;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

  @Option(names = "--limit", paramLabel = "N", description = "How many. Default: 50")
  private int limit = 50;

  @Mixin private CommonOptions common;

  @Override
  public Integer call() throws JsonProcessingException {
    if (limit < 1) {
      throw Failure.usage("--limit must be at least 1.");
    }
    Console console = common.console();
    try (StoredJournal journal = StoredJournal.open(common)) {
      JournalReader reader = journal.reader();
      boolean alive =
          !common.config().getString("rubricem.database.url").isBlank()
              || DataFolder.isInUse(common.settings().dataDir());
      for (EpisodeId id : reader.episodes("", limit)) {
        try {
          print(console, Unfinished.state(reader, id), alive);
        } catch (UnknownKind e) {
          console.warn(id + "  " + e.getMessage());
        }
      }
    }
    return 0;
  }

  private void print(Console console, EpisodeState state, boolean alive)
      throws JsonProcessingException {
    if (state.started().isEmpty()) {
      return;
    }
    EpisodeView view = EpisodeProjection.view(state);
    console.out(
        (common.json
                ? TerminalText.json(DurableFormat.json().writeValueAsString(view))
                : line(view, alive))
            + "\n");
  }

  /** @param alive whether a node runs here; without one, what has not ended was interrupted */
  private static String line(EpisodeView view, boolean alive) {
    String status =
        view.status().ended() || alive ? view.status().label() : "interrupted";
    String took =
        view.endedAt()
            .map(end -> Duration.between(view.createdAt(), end).toMillis() / 1000.0)
            .map(s -> String.format("%6.1f s", s))
            .orElse("       –");
    return String.format(
        "%s  %s  %-11s %-13s %s  %s",
        view.id(), TIME.format(view.createdAt()), status,
        view.outcome().map(o -> o.label()).orElse(""), took, TerminalText.line(view.question(), QUESTION_COLUMNS));
  }
}
