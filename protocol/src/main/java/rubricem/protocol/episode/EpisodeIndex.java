package rubricem.protocol.episode;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.evidence.Snippet;

/** The stored episodes, newest first, without waking any of them. */
public interface EpisodeIndex {
  /** One page; its {@code next} is the cursor of the one behind it. */
  CompletionStage<Page> page(Query query);

  /** The episode as stored, folded from its events; empty where there is none. */
  CompletionStage<Optional<EpisodeView>> stored(EpisodeId id);

  /** A passage that the episode retrieved; empty where it retrieved none of that id. */
  CompletionStage<Optional<Snippet>> snippet(EpisodeId id, String snippetId);

  /**
   * @param before the id of the last entry of the page before; empty for the first page
   * @param status only these; empty: all
   * @param text what the question must contain, whatever its case; blank: anything
   * @param limit 1 to 200
   */
  record Query(
      Optional<EpisodeId> before, Optional<EpisodeStatus> status, String text, int limit) {}

  record Page(List<Entry> entries, Optional<EpisodeId> next) {}

  /** What a list shows of an episode. */
  record Entry(
      EpisodeId id,
      EpisodeStatus status,
      Optional<EpisodeOutcome> outcome,
      String question,
      Instant createdAt,
      Optional<Instant> endedAt) {}
}
