package rubricem.app.bench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import rubricem.actors.episode.EpisodePorts;
import rubricem.app.node.EpisodeHost;
import rubricem.app.node.EpisodeIds;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.PromptResources;
import rubricem.app.node.ResearchNode;
import rubricem.persistence.folder.EmbeddedJournal;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.StoredEvents;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.report.BoundAnswer;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.report.SupportScore;
import rubricem.protocol.report.SupportState;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * What durable episodes cost by themselves: turns a second, time a turn, heap of one that waits,
 * bytes on disk. The policy and the tool cost nothing; every event is on disk before it counts.
 */
public final class EpisodesBench {
  private static final int TURNS = 12;
  private static final int PACED = 100;
  private static final Duration THINK = Duration.ofMillis(250);
  private static final int WAITING = 10_000;
  private static final int WAITING_TURNS = 6;
  /** Nothing takes that long but an episode that nobody answers. */
  private static final Duration STUCK = Duration.ofSeconds(60);

  private static final Duration WARM_UP = Duration.ofSeconds(10);

  private static final SupportScore NOT_LOOKED_AT =
      new SupportScore(SupportState.UNCHECKED, "", 0, Optional.empty(), List.of(), false);

  private final Config config;
  private final Path folder;
  private final Duration measured;
  private final BenchWords words = new BenchWords(7);
  private final EpisodeIds ids = new EpisodeIds(Clock.systemUTC(), new SecureRandom());
  private final Consumer<BenchLine> out;
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  /** @param folder an empty folder on a real disk */
  public EpisodesBench(
      Config config, Path folder, Duration measured, Consumer<BenchLine> out) {
    this.config = config;
    this.folder = folder;
    this.measured = measured;
    this.out = out;
  }

  public void run(List<Integer> inFlight) throws Exception {
    for (int n : inFlight) {
      if (n > 0) {
        turns(n, Duration.ZERO);
      }
    }
    if (inFlight.contains(PACED)) {
      turns(PACED, THINK);
    }
    waiting();
  }

  /**
   * @param think zero: as many turns as go, so that a turn's time is mostly that of waiting for the
   *     others; else what a turn costs when the policy, not we, sets the pace
   */
  private void turns(int inFlight, Duration think) throws Exception {
    Config own = config(folder.resolve("flight-" + inFlight + "-" + think.toMillis()));
    NodeSettings settings = NodeSettings.of(own);
    InstantResearch research = new InstantResearch(words, TURNS, false, think);
    Map<String, Object> params =
        Map.of(
            "in_flight", inFlight, "store", store(own), "turns", TURNS, "think_ms",
            think.toMillis());
    long all;
    try (EpisodeHost host =
        EpisodeHost.start(own, settings.episode(), db -> ports(research, db), false)) {
      long end = System.nanoTime() + WARM_UP.plus(measured).toNanos();
      CountDownLatch idle = new CountDownLatch(inFlight);
      for (int i = 0; i < inFlight; i++) {
        worker(host, () -> System.nanoTime() < end, idle);
      }
      TimeUnit.NANOSECONDS.sleep(WARM_UP.toNanos());
      research.turnNanos.clear();
      long before = research.turnsDone.get();
      long start = System.nanoTime();
      long cpu = cpuNanos();
      TimeUnit.NANOSECONDS.sleep(measured.toNanos());
      double cpuMs = (cpuNanos() - cpu) / 1e6;
      long turns = research.turnsDone.get() - before;
      double seconds = (System.nanoTime() - start) / 1e9;
      line("cpu_ms_per_turn", cpuMs / Math.max(1, turns), "ms", params);
      long[] nanos = research.turnNanos.stream().mapToLong(Long::longValue).sorted().toArray();
      if (!idle.await(STUCK.toSeconds(), TimeUnit.SECONDS)) {
        broken(idle.getCount() + " episodes did not end");
      }
      throwIfBroken();
      all = research.turnsDone.get();
      line("durable_turns_per_second", turns / seconds, "1/s", params);
      line("overhead_ms_p50", nanos[nanos.length / 2] / 1e6, "ms", params);
      line("overhead_ms_p99", nanos[(int) (nanos.length * 0.99)] / 1e6, "ms", params);
    }
    long bytes = size(settings.dataDir());
    if (bytes > 0) {
      line("stored_bytes_per_turn", (double) bytes / all, "B", params);
    }
  }

  /** Runs one episode after the other; looks at each end, so that a broken run is no figure. */
  private void worker(EpisodeHost host, BooleanSupplier goOn, CountDownLatch idle) {
    if (!goOn.getAsBoolean()) {
      idle.countDown();
      return;
    }
    EpisodeId id = ids.next();
    host.start(id, request())
        .whenComplete(
            (started, failure) -> {
              if (failure != null) {
                broken("an episode did not start: " + failure);
                idle.countDown();
              } else {
                host.watch(id, started.eventCount(), progress -> {
                  if (progress instanceof EpisodeProgress.WatchEnded ended) {
                    check(ended.view());
                    worker(host, goOn, idle);
                  }
                });
              }
            });
  }

  private void check(Optional<EpisodeView> view) {
    if (view.flatMap(EpisodeView::outcome).filter(o -> o == EpisodeOutcome.ANSWERED).isEmpty()) {
      broken(
          "an episode was not answered: "
              + view.map(v -> v.status() + " " + v.outcome() + " " + v.error() + " "
                  + v.finishCause() + " " + v.usage()));
    }
  }

  private void broken(String what) {
    failures.add(what);
  }

  /** A figure of a run in which something went wrong is none. */
  private void throwIfBroken() {
    if (!failures.isEmpty()) {
      throw new IllegalStateException(failures.size() + " failures, the first: " + failures.peek());
    }
  }

  private void waiting() throws Exception {
    Config own = config(folder.resolve("waiting"));
    InstantResearch research = new InstantResearch(words, WAITING_TURNS, true, Duration.ZERO);
    NodeSettings settings = NodeSettings.of(own);
    try (EpisodeHost host =
        EpisodeHost.start(own, settings.episode(), db -> ports(research, db), false)) {
      CompletableFuture<?>[] begun = new CompletableFuture<?>[200];
      Arrays.setAll(begun, i -> start(host));
      CompletableFuture.allOf(begun).join();
      awaitWaiting(research, begun.length);
      long before = usedHeap();
      for (int i = 0; i < WAITING; i++) {
        start(host).join();
      }
      awaitWaiting(research, begun.length + WAITING);
      research.turnNanos.clear();
      long after = usedHeap();
      line(
          "heap_bytes_per_waiting_episode", (double) (after - before) / WAITING, "B",
          Map.of("waiting", WAITING, "history_turns", WAITING_TURNS));
    }
  }

  private CompletableFuture<EpisodeView> start(EpisodeHost host) {
    return host.start(ids.next(), request()).toCompletableFuture();
  }

  private static void awaitWaiting(InstantResearch research, int wanted) throws Exception {
    while (research.waiting.get() < wanted) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** What this process used of all cores: on a busy machine it tells more than the time. */
  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** After several collections: what is still there is held. */
  private static long usedHeap() throws Exception {
    // episodes that wait long pack their history
    TimeUnit.SECONDS.sleep(6);
    for (int i = 0; i < 5; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(200);
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private EpisodeRequest request() {
    return new EpisodeRequest(
        words.text(100, (int) System.nanoTime()), FormatLabel.LONG_FORM, "instant",
        List.of("bench"), List.of(), new EpisodeLimits(TURNS + 1, 86_400, 0, 0), 0, Map.of());
  }

  private static EpisodePorts ports(InstantResearch research, JournalDatabase database) {
    return new EpisodePorts(
        spec -> Optional.of(research), request -> List.of(research),
        EpisodesBench::uncheckedAtNoCost, new StoredEvents(database),
        new PromptResources(), request -> Searched.NOTHING, Clock.systemUTC());
  }

  /** A check that costs nothing, like the policy and the tool, and leaves nothing to be made up. */
  private static CompletionStage<List<ClaimVerdict>> uncheckedAtNoCost(BoundAnswer bound) {
    return CompletableFuture.completedStage(
        bound.claims().stream()
            .flatMap(
                claim ->
                    claim.snippets().stream()
                        .map(s -> new ClaimVerdict(claim.index(), s.id(), NOT_LOOKED_AT)))
            .toList());
  }

  private Config config(Path dataDir) throws IOException {
    Files.createDirectories(dataDir);
    Config own =
        config.withValue(
            "rubricem.data-dir", ConfigValueFactory.fromAnyRef(dataDir.toString()));
    return ResearchNode.withJournal(own, NodeSettings.of(own));
  }

  private static String store(Config config) {
    return config.getString("rubricem.database.url").startsWith("jdbc:sqlite:") ? "sqlite" : "postgresql";
  }

  private static long size(Path dataDir) throws IOException {
    Path file = EmbeddedJournal.file(dataDir);
    return Files.exists(file) ? Files.size(file) : 0;
  }

  private void line(String metric, double value, String unit, Map<String, Object> params) {
    out.accept(new BenchLine("episodes", metric, value, unit, params));
  }
}
