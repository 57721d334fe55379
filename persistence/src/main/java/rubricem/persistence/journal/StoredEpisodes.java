package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeProjection;
import rubricem.persistence.episode.EpisodeState;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.episode.EpisodeIndex;

/** The stored episodes, read on the journal's own threads without waking any of them. */
public final class StoredEpisodes implements EpisodeIndex {
  private final JournalDatabase database;
  private final JournalReader reader;

  public StoredEpisodes(JournalDatabase database) {
    this.database = database;
    this.reader = new JournalReader(database);
  }

  @Override
  public CompletionStage<Page> page(Query query) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (Connection c = database.reader()) {
            return EpisodeRows.page(c, query);
          } catch (SQLException e) {
            throw database.trouble(e);
          }
        },
        database.lookers());
  }

  @Override
  public CompletionStage<Optional<EpisodeView>> stored(EpisodeId id) {
    return state(id)
        .thenApply(
            state ->
                Optional.of(state)
                    .filter(s -> s.started().isPresent())
                    .map(EpisodeProjection::view));
  }

  @Override
  public CompletionStage<Optional<Snippet>> snippet(EpisodeId id, String snippetId) {
    return state(id)
        .thenApply(
            state ->
                state.evidence().stream().filter(s -> s.id().equals(snippetId)).findFirst());
  }

  private CompletionStage<EpisodeState> state(EpisodeId id) {
    return CompletableFuture.supplyAsync(
        () -> {
          EpisodeState[] state = {EpisodeState.EMPTY};
          reader.read(
              id, 0,
              (sequence, event) -> {
                state[0] = EpisodeFold.apply(state[0], event);
                return true;
              });
          return state[0];
        },
        database.lookers());
  }
}
