package rubricem.app.bench;

import com.typesafe.config.Config;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import rubricem.app.node.NodePolicies;
import rubricem.http.load.ResearchBurst;
import rubricem.protocol.port.Corpus;

/**
 * What a burst does to a node that answers over HTTP: a thousand episodes submitted within a second,
 * round after round, with a policy of no latency, while somebody asks how one of them is doing. The
 * clients run in the same process and on the same cores.
 */
public final class EdgeBench {
  private static final int EPISODES = 1_000;

  private final Config config;
  private final Path folder;
  private final Consumer<BenchLine> out;

  /** @param folder an empty folder on a real disk */
  public EdgeBench(Config config, Path folder, Consumer<BenchLine> out) {
    this.config = config;
    this.folder = folder;
    this.out = out;
  }

  public void run(int rounds) throws Exception {
    try (BurstNode node = BurstNode.start(config, folder)) {
      for (int round = 1; round <= rounds; round++) {
        round(
            node.address(), round, i -> "tides " + i,
            Map.of("episodes", EPISODES, "round", round));
      }
    }
  }

  /** The same with the embedded policy, real searches and other questions in every round. */
  public void run(int rounds, List<Path> documents) throws Exception {
    try (BurstNode node = BurstNode.on(config, folder, documents)) {
      Corpus corpus = node.corpus(documents);
      CorpusQuestions questions = CorpusQuestions.of(corpus);
      int passages = corpus.status().passages();
      for (int round = 1; round <= rounds; round++) {
        int first = round * EPISODES;
        round(
            node.address(), round, i -> questions.get(first + i),
            Map.of(
                "episodes", EPISODES, "round", round, "policy", NodePolicies.EXTRACTIVE,
                "passages", passages));
      }
    }
  }

  private void round(
      URI base, int round, IntFunction<String> question, Map<String, Object> params)
      throws Exception {
    ResearchBurst burst = new ResearchBurst(base, EPISODES);
    long begin = System.nanoTime();
    try (var asking = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<long[]> asked = asking.submit(burst::ask);
      burst.submit("round-" + round, question);
      line("submitted_seconds", (System.nanoTime() - begin) / 1e9, "s", params);
      burst.awaitEnds();
      double seconds = (System.nanoTime() - begin) / 1e9;
      line("all_ended_seconds", seconds, "s", params);
      line("questions_per_second", EPISODES / seconds, "1/s", params);
      long[] nanos = asked.get();
      line("get_ms_p50", nanos[nanos.length / 2] / 1e6, "ms", params);
      line("get_ms_p99", nanos[(int) (nanos.length * 0.99)] / 1e6, "ms", params);
    }
    line("heap_mb", heapMb(), "MB", params);
  }

  /** After episodes have left memory and what can be collected is. */
  private static double heapMb() throws InterruptedException {
    TimeUnit.SECONDS.sleep(7);
    for (int i = 0; i < 3; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(200);
    }
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
  }

  private void line(String metric, double value, String unit, Map<String, Object> params) {
    out.accept(new BenchLine("edge", metric, value, unit, params));
  }
}
