package rubricem.app.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rubricem.protocol.EpisodeId;

/** {@code replay}: what happened in an episode, beside a running node or without one. */
@Command(
    name = "replay",
    description = "Prints what happened in an episode, event by event. Calls no model and no tool.",
    footer = {
      "",
      "With --json: JSON Lines, one event object a line; with --until or --check one object.",
      "",
      "Examples:",
      "  ./rubricem replay e01m8mp9 --full",
      "  ./rubricem replay e01m8mp9 --json | jq .kind"
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class ReplayCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "ID",
      description = "An episode's id, or a beginning of it that no other has."
          + " The command episodes lists them.")
  private String id;

  @ArgGroup private Choice choice = new Choice();

  @Mixin private CommonOptions common;

  /** At most one view other than the list of events. */
  private static final class Choice {
    @Option(names = "--full", description = "Whole texts: turns, passages, notices.")
    private boolean full;

    @Option(names = "--until", paramLabel = "N", description = "The state after event N: turns,"
        + " evidence, usage, what was awaited.")
    private Long until;

    @Option(
        names = "--check",
        description = "Decides every step again and names the first event that today's code would"
            + " not have produced.")
    private boolean check;
  }

  @Override
  public Integer call() {
    try (StoredJournal journal = StoredJournal.open(common)) {
      Replay replay = new Replay(common.console(), common.json, journal.reader());
      EpisodeId episode = GivenId.find(journal.reader(), id);
      if (choice.check) {
        return replay.check(episode, common.settings().episode());
      }
      if (choice.until != null) {
        replay.until(episode, choice.until);
      } else if (choice.full) {
        replay.full(episode);
      } else {
        replay.events(episode);
      }
      return 0;
    }
  }
}
