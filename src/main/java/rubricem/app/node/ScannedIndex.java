package rubricem.app.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.Map;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeProjection;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.journal.JournalReader;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.EpisodeIndex;
import rubricem.protocol.port.RequestKeys;

/** Stands in for the stored index until it is there: folds each episode it is asked about. */
public final class ScannedIndex implements EpisodeIndex, RequestKeys {
  private final JournalReader journal;
  private final Executor executor;
  private final Map<String, Claim> keys = new ConcurrentHashMap<>();

  public ScannedIndex(JournalReader journal, Executor executor) {
    this.journal = journal;
    this.executor = executor;
  }

  @Override
  public CompletionStage<Page> page(Query query) {
    return CompletableFuture.supplyAsync(
        () -> {
          List<Entry> entries = new ArrayList<>();
          String before = query.before().map(EpisodeId::value).orElse("");
          while (true) {
            List<EpisodeId> ids = journal.episodes(before, 100);
            for (EpisodeId id : ids) {
              EpisodeView v = EpisodeProjection.view(state(id));
              boolean fits =
                  query.status().filter(s -> s != v.status()).isEmpty()
                      && v.question().toLowerCase(Locale.ROOT)
                          .contains(query.text().toLowerCase(Locale.ROOT));
              if (fits && entries.size() == query.limit()) {
                return new Page(entries, Optional.of(entries.getLast().id()));
              }
              if (fits) {
                entries.add(
                    new Entry(
                        id, v.status(), v.outcome(), v.question(), v.createdAt(), v.endedAt()));
              }
              before = id.value();
            }
            if (ids.isEmpty()) {
              return new Page(entries, Optional.empty());
            }
          }
        },
        executor);
  }

  private EpisodeState state(EpisodeId id) {
    EpisodeState[] state = {EpisodeState.EMPTY};
    journal.read(
        id, 0,
        (sequence, event) -> {
          state[0] = EpisodeFold.apply(state[0], event);
          return true;
        });
    return state[0];
  }

  @Override
  public CompletionStage<Optional<EpisodeView>> stored(EpisodeId id) {
    return CompletableFuture.supplyAsync(
        () ->
            Optional.of(state(id)).filter(s -> s.started().isPresent())
                .map(EpisodeProjection::view),
        executor);
  }

  @Override
  public CompletionStage<Optional<Snippet>> snippet(EpisodeId id, String snippetId) {
    return CompletableFuture.supplyAsync(
        () -> state(id).evidence().stream().filter(s -> s.id().equals(snippetId)).findFirst(),
        executor);
  }

  @Override
  public CompletionStage<Claim> claim(String key, String digest, EpisodeId fresh) {
    return CompletableFuture.completedStage(
        keys.computeIfAbsent(key, k -> new Claim(fresh, digest)));
  }
}
