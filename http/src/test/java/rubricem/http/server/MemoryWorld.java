package rubricem.http.server;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeProjection;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeIndex;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;
import rubricem.protocol.episode.EventLog;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.episode.RequestKeys;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.StorageUnavailable;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.scaffold.ToolCall;

/**
 * All that an edge sees of the world, in memory: episodes whose events the test writes. They are
 * folded and shown by the program's own code, so views are those of real episodes.
 */
public final class MemoryWorld implements Episodes, EpisodeIndex, RequestKeys, EventLog {
  private static final class Stored {
    final List<EventStored> events = new ArrayList<>();
    final List<Watching> watchers = new CopyOnWriteArrayList<>();
  }

  private record Watching(Consumer<EpisodeProgress> watcher) {}

  private final Map<EpisodeId, Stored> episodes = new ConcurrentHashMap<>();
  private final Map<String, Claim> keys = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();

  /** Events that readers of the log were given. */
  public final AtomicInteger eventsRead = new AtomicInteger();

  /** Whether the database has gone: nothing is read or written then. */
  public volatile boolean gone;

  private static final class Gone extends StorageUnavailable {
    Gone() {
      super("no connection to jdbc:secret@db");
    }
  }

  private void reached() {
    if (gone) {
      throw new Gone();
    }
  }

  /** What happens right after an episode has begun. */
  public volatile Consumer<EpisodeId> afterStart = id -> {};

  public Edge.Ports ports() {
    return new Edge.Ports(
        this, this, this, this, DurableFormat.json(),
        (sequence, event) -> DurableFormat.json(sequence, event).toString(), this::nextId,
        Instant::now, Executors.newVirtualThreadPerTaskExecutor());
  }

  public EpisodeId nextId() {
    return new EpisodeId(String.format("e%026d", ids.incrementAndGet()));
  }

  // ---- writing

  public void append(EpisodeId id, EpisodeEvent event) {
    Stored stored = episodes.computeIfAbsent(id, i -> new Stored());
    EventStored next;
    synchronized (stored) {
      next = new EventStored(stored.events.size() + 1, event);
      stored.events.add(next);
    }
    stored.watchers.forEach(w -> w.watcher().accept(next));
    if (ended(event)) {
      EpisodeView view = view(stored).orElseThrow();
      List<Watching> last = List.copyOf(stored.watchers);
      stored.watchers.clear();
      last.forEach(w -> w.watcher().accept(new EpisodeProgress.WatchEnded(Optional.of(view))));
    }
  }

  /** Tells watchers what is not stored. */
  public void show(EpisodeId id, EpisodeProgress progress) {
    episodes.get(id).watchers.forEach(w -> w.watcher().accept(progress));
  }

  public int watchers(EpisodeId id) {
    return episodes.get(id).watchers.size();
  }

  /** A policy call with its turn: two events. @param text of the turn */
  public void turn(EpisodeId id, int number, String text) {
    CallId call = CallId.of(id, number);
    append(id, new EpisodeEvent.PolicyCallRequested(now(), call, 1, "p", List.of()));
    append(
        id,
        new EpisodeEvent.PolicyTurnGenerated(
            now(), call, text, Optional.empty(), FinishReason.STOP, new TokenUsage(10, 5, 0),
            "v1"));
  }

  /** A turn that plans and searches, and what the search found: four events. */
  public void search(EpisodeId id, int number, String passage, String url) {
    turn(
        id, number,
        "<think>t</think><structured_plan><deep_analysis>d</deep_analysis><rubric>r</rubric>"
            + "<research_plan>p</research_plan></structured_plan>"
            + "<call_tool name=\"local_search\">q</call_tool>");
    CallId call = CallId.of(id, number + 1);
    append(
        id,
        new EpisodeEvent.ToolCallRequested(
            now(), call, new ToolCall("local_search", "q", Map.of())));
    Passage found =
        new Passage(
            "doc", "Title", url, "page 1", 0, passage.length(), passage, 1, Optional.empty());
    append(
        id,
        new EpisodeEvent.ToolCallCompleted(
            now(), call, List.of(new Snippet("S_1", call, "local_search", found)),
            List.of("S_1"), new Searched(1, 1, List.of()), List.of(), List.of()));
  }

  /** A turn that reviews and answers, and the end: five events. */
  public void answer(EpisodeId id, int number, String answer) {
    turn(
        id, number,
        "<think>t</think><state_evaluation>s</state_evaluation><review><rubric_review>r"
            + "</rubric_review><writing_plan>w</writing_plan></review><answer>" + answer
            + "</answer>");
    append(id, new EpisodeEvent.CitationCheckRequested(now(), CallId.of(id, number + 1)));
    append(id, new EpisodeEvent.CitationsChecked(now(), CallId.of(id, number + 1), List.of()));
    append(id, new EpisodeEvent.EpisodeCompleted(now(), EpisodeOutcome.ANSWERED));
  }

  public void complete(EpisodeId id) {
    append(id, new EpisodeEvent.EpisodeCompleted(now(), EpisodeOutcome.NO_EVIDENCE));
  }

  private static Instant now() {
    return Instant.parse("2026-01-01T00:00:00Z");
  }

  private static boolean ended(EpisodeEvent event) {
    return event instanceof EpisodeEvent.EpisodeCompleted
        || event instanceof EpisodeEvent.EpisodeFailed
        || event instanceof EpisodeEvent.EpisodeCancelled;
  }

  // ---- Episodes

  @Override
  public CompletionStage<EpisodeView> start(EpisodeId id, EpisodeRequest request) {
    reached();
    boolean[] fresh = {false};
    Stored stored =
        episodes.computeIfAbsent(
            id,
            i -> {
              fresh[0] = true;
              Stored made = new Stored();
              made.events.add(
                  new EventStored(
                      1,
                      new EpisodeEvent.EpisodeStarted(
                          now(), id, request, new PromptRef("agent", "0"),
                          new PromptRef("format", "0"), List.of("local_search"),
                          Searched.NOTHING)));
              return made;
            });
    if (fresh[0]) {
      afterStart.accept(id);
    } else if (!state(stored).request().equals(request)) {
      return CompletableFuture.failedStage(new Refused("it asks something else"));
    }
    return describe(id);
  }

  @Override
  public CompletionStage<EpisodeView> describe(EpisodeId id) {
    return stored(id).thenApply(view -> view.orElseThrow(() -> new UnknownEpisode(id)));
  }

  @Override
  public CompletionStage<EpisodeView> cancel(EpisodeId id) {
    append(id, new EpisodeEvent.EpisodeCancelled(now()));
    return describe(id);
  }

  @Override
  public CompletionStage<EpisodeView> finish(EpisodeId id) {
    return describe(id);
  }

  @Override
  public Watch watch(EpisodeId id, long after, Consumer<EpisodeProgress> watcher) {
    Stored stored = episodes.get(id);
    if (stored == null) {
      watcher.accept(new EpisodeProgress.WatchEnded(Optional.empty()));
      return () -> {};
    }
    Watching watching = new Watching(watcher);
    List<EventStored> behind;
    Optional<EpisodeView> ended;
    synchronized (stored) {
      behind = stored.events.stream().filter(e -> e.sequence() > after).toList();
      ended =
          ended(stored.events.getLast().event()) ? view(stored) : Optional.empty();
      if (ended.isEmpty()) {
        stored.watchers.add(watching);
      }
    }
    behind.forEach(watcher);
    ended.ifPresent(view -> watcher.accept(new EpisodeProgress.WatchEnded(Optional.of(view))));
    return () -> stored.watchers.remove(watching);
  }

  // ---- EventLog, EpisodeIndex, RequestKeys

  @Override
  public CompletionStage<List<EventStored>> read(EpisodeId id, long after, int limit) {
    Stored stored = episodes.get(id);
    List<EventStored> page =
        stored == null
            ? List.of()
            : copy(stored).stream().filter(e -> e.sequence() > after).limit(limit).toList();
    eventsRead.addAndGet(page.size());
    return CompletableFuture.completedStage(page);
  }

  @Override
  public CompletionStage<Page> page(Query query) {
    reached();
    List<Entry> all =
        episodes.values().stream().map(this::view).flatMap(Optional::stream)
            .map(
                v ->
                    new Entry(
                        v.id(), v.status(), v.outcome(), v.question(), v.createdAt(),
                        v.endedAt()))
            .filter(e -> query.before().filter(b -> e.id().value().compareTo(b.value()) >= 0)
                .isEmpty())
            .filter(e -> query.status().filter(s -> s != e.status()).isEmpty())
            .filter(e -> e.question().toLowerCase().contains(query.text().toLowerCase()))
            .sorted(Comparator.comparing((Entry e) -> e.id().value()).reversed())
            .toList();
    List<Entry> page = all.subList(0, Math.min(query.limit(), all.size()));
    return CompletableFuture.completedStage(
        new Page(
            page,
            all.size() > page.size() ? Optional.of(page.getLast().id()) : Optional.empty()));
  }

  @Override
  public CompletionStage<Optional<EpisodeView>> stored(EpisodeId id) {
    reached();
    return CompletableFuture.completedStage(
        Optional.ofNullable(episodes.get(id)).flatMap(this::view));
  }

  @Override
  public CompletionStage<Optional<Snippet>> snippet(EpisodeId id, String snippetId) {
    return CompletableFuture.completedStage(
        Optional.ofNullable(episodes.get(id)).stream()
            .flatMap(s -> state(s).evidence().stream())
            .filter(s -> s.id().equals(snippetId)).findFirst());
  }

  @Override
  public CompletionStage<Claim> claim(String key, String digest, EpisodeId fresh) {
    reached();
    return CompletableFuture.supplyAsync(
        () -> keys.computeIfAbsent(key, k -> new Claim(fresh, digest)));
  }

  @Override
  public CompletionStage<Optional<Claim>> find(String key) {
    return CompletableFuture.completedStage(Optional.ofNullable(keys.get(key)));
  }

  @Override
  public CompletionStage<Claim> replace(String key, String digest, EpisodeId id) {
    keys.put(key, new Claim(id, digest));
    return CompletableFuture.completedStage(keys.get(key));
  }

  public int count() {
    return episodes.size();
  }

  private Optional<EpisodeView> view(Stored stored) {
    return Optional.of(EpisodeProjection.view(state(stored)));
  }

  private static EpisodeState state(Stored stored) {
    EpisodeState state = EpisodeState.EMPTY;
    for (EventStored event : copy(stored)) {
      state = EpisodeFold.apply(state, event.event());
    }
    return state;
  }

  private static List<EventStored> copy(Stored stored) {
    synchronized (stored) {
      return List.copyOf(stored.events);
    }
  }

  /** What {@code waitFor} gives up after. */
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  public static void waitFor(Supplier<Boolean> met, String what) {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!met.get()) {
      if (System.nanoTime() > until) {
        throw new AssertionError("it never came: " + what);
      }
      java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
    }
  }
}
