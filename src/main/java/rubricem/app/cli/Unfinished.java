package rubricem.app.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeProjection;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.journal.JournalReader;
import rubricem.persistence.serialization.UnknownKind;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;

/** Finds stored episodes that a command can go on with. */
final class Unfinished {
  /** An episode further back than this is gone on with by its id only. */
  private static final int LOOKED_AT = 50;

  private Unfinished() {}

  /** A running episode that asks exactly the same: the same command given again goes on with it. */
  static Optional<EpisodeId> sameAs(JournalReader journal, EpisodeRequest request) {
    for (EpisodeId id : journal.episodes("", LOOKED_AT)) {
      if (unfinished(journal, id).filter(s -> s.request().equals(request)).isPresent()) {
        return Optional.of(id);
      }
    }
    return Optional.empty();
  }

  /** One that a newer program wrote is none of ours to go on with. */
  private static Optional<EpisodeState> unfinished(JournalReader journal, EpisodeId id) {
    try {
      return Optional.of(state(journal, id)).filter(EpisodeState::running);
    } catch (UnknownKind e) {
      return Optional.empty();
    }
  }

  static EpisodeView find(JournalReader journal, EpisodeId id) {
    EpisodeState state = state(journal, id);
    if (state.started().isEmpty()) {
      throw Failure.usage(
          "There is no episode " + id + " in this data folder. ./rubricem episodes lists them.");
    }
    return EpisodeProjection.view(state);
  }

  static List<Path> roots(JournalReader journal, EpisodeId id) {
    return state(journal, id).request().corpus().stream().map(Path::of).toList();
  }

  static EpisodeState state(JournalReader journal, EpisodeId id) {
    EpisodeState[] state = {EpisodeState.EMPTY};
    journal.read(
        id, 0,
        (sequence, event) -> {
          state[0] = EpisodeFold.apply(state[0], event);
          return true;
        });
    return state[0];
  }
}
