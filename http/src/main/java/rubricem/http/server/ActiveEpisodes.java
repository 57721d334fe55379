package rubricem.http.server;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import rubricem.http.server.metrics.Metrics;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeIndex;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;

/**
 * The episodes that run, and the bound on them. An episode takes a place before it is started and
 * gives it back when it has ended, whoever started it and whatever became of it; the same episode
 * never takes two.
 */
public final class ActiveEpisodes {
  /** Beyond every event number: a watcher from here on is told nothing but the end. */
  private static final long ONLY_THE_END = Long.MAX_VALUE;

  private static final int PAGE = 200;

  /**
   * An ask has waited for its answer already; this is only to be gentle with what is in trouble.
   */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

  private final Episodes episodes;
  private final int max;
  private final Duration askAgain;
  private final Metrics metrics;
  private final Map<EpisodeId, Boolean> active = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  public ActiveEpisodes(Episodes episodes, int max, Metrics metrics) {
    this(episodes, max, metrics, ASK_AGAIN);
  }

  ActiveEpisodes(Episodes episodes, int max, Metrics metrics, Duration askAgain) {
    this.askAgain = askAgain;
    this.episodes = episodes;
    this.max = max;
    this.metrics = metrics;
    metrics.gauge("rubricem_episodes_active", "Episodes that run now.", count::get);
  }

  /** Takes a place; false where none is free. An episode that has one keeps it. */
  public boolean enter(EpisodeId id) {
    return active.containsKey(id) || take(id, max);
  }

  private boolean take(EpisodeId id, int bound) {
    if (count.incrementAndGet() > bound) {
      count.decrementAndGet();
      return false;
    }
    if (active.putIfAbsent(id, false) != null) {
      count.decrementAndGet();
    }
    return true;
  }

  /** Gives the place back. */
  public void leave(EpisodeId id) {
    if (active.remove(id) != null) {
      count.decrementAndGet();
    }
  }

  /** Gives the place back when the episode has ended; once for each place. */
  public void leaveAtEnd(EpisodeId id) {
    if (active.replace(id, false, true)) {
      episodes.watch(
          id, ONLY_THE_END,
          progress -> {
            if (progress instanceof EpisodeProgress.WatchEnded ended) {
              if (active.containsKey(id)) {
                ended.view().ifPresent(this::count);
              }
              leave(id);
            }
          });
    }
  }

  /**
   * For one of which it is not known whether it began: asks until it is. A watch alone could have
   * been lost with the command, and the place with it.
   */
  public void leaveWhenKnown(EpisodeId id) {
    episodes.describe(id)
        .whenComplete(
            (view, failure) -> {
              Throwable cause =
                  failure instanceof CompletionException && failure.getCause() != null
                      ? failure.getCause()
                      : failure;
              if (cause == null) {
                leaveAtEnd(id);
              } else if (cause instanceof Episodes.UnknownEpisode) {
                leave(id);
              } else {
                CompletableFuture.delayedExecutor(askAgain.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> leaveWhenKnown(id));
              }
            });
  }

  private void count(EpisodeView view) {
    String outcome = view.outcome().map(o -> o.label()).orElse(view.status().label());
    metrics.add(
        "rubricem_episodes_ended_total", "Episodes that ended here, by what came of them.", 1,
        "outcome", outcome);
    metrics.add(
        "rubricem_model_calls_total", "Calls of policies by episodes that ended here.",
        view.usage().modelCalls());
    metrics.add(
        "rubricem_tool_calls_total", "Calls of tools by episodes that ended here.",
        view.usage().toolCalls());
    metrics.add(
        "rubricem_repeated_calls_total",
        "Calls that were in flight when a process died and were made again.",
        view.usage().repeatedCalls());
    metrics.add(
        "rubricem_tokens_total", "Tokens used by episodes that ended here.",
        view.usage().promptTokens(), "kind", "prompt");
    metrics.add(
        "rubricem_tokens_total", "Tokens used by episodes that ended here.",
        view.usage().completionTokens(), "kind", "completion");
  }

  public int count() {
    return count.get();
  }

  public boolean contains(EpisodeId id) {
    return active.containsKey(id);
  }

  /** After a start: those that run already take places too, even beyond the bound. */
  public CompletionStage<Void> adopt(EpisodeIndex index) {
    return adopt(index, Optional.empty());
  }

  private CompletionStage<Void> adopt(EpisodeIndex index, Optional<EpisodeId> before) {
    return index
        .page(new EpisodeIndex.Query(before, Optional.of(EpisodeStatus.RUNNING), "", PAGE))
        .thenCompose(
            page -> {
              for (EpisodeIndex.Entry entry : page.entries()) {
                take(entry.id(), Integer.MAX_VALUE);
                leaveAtEnd(entry.id());
              }
              return page.next().isPresent()
                  ? adopt(index, page.next())
                  : CompletableFuture.completedStage(null);
            });
  }
}
