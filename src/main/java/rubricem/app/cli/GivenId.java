package rubricem.app.cli;

import java.util.List;
import rubricem.persistence.journal.JournalReader;
import rubricem.protocol.EpisodeId;

/** The episode that a user names: by its id, or by a beginning that only one id has. */
final class GivenId {
  /** Ids named when a beginning fits several. */
  private static final int NAMED = 5;

  private GivenId() {}

  static EpisodeId find(JournalReader journal, String given) {
    String beginning = given.strip();
    List<EpisodeId> fitting =
        beginning.isEmpty() ? List.of() : journal.beginningWith(beginning, NAMED + 1);
    if (fitting.stream().anyMatch(id -> id.value().equals(beginning))) {
      return new EpisodeId(beginning);
    }
    if (fitting.isEmpty()) {
      throw Failure.usage(
          "There is no episode " + TerminalText.line(beginning, 40) + " in this data folder."
              + " ./rubricem episodes lists them; --data-dir names another folder.");
    }
    if (fitting.size() > 1) {
      String named =
          String.join(", ", fitting.stream().limit(NAMED).map(EpisodeId::value).toList());
      throw Failure.usage(
          "Several episodes begin with " + beginning + ": " + named
              + (fitting.size() > NAMED ? " and more" : "") + ". Give more of the id.");
    }
    return fitting.getFirst();
  }
}
