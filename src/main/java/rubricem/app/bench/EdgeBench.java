package rubricem.app.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import rubricem.app.node.EdgeConfig;
import rubricem.app.node.NodeEdge;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.ResearchNode;
import rubricem.http.llm.Secret;
import rubricem.http.load.ResearchBurst;

/**
 * What a burst does to a node that answers over HTTP: a thousand episodes submitted within a second,
 * round after round, with a policy of no latency, while somebody asks how one of them is doing. The
 * clients run in the same process and on the same cores.
 */
public final class EdgeBench {
  private static final int EPISODES = 1_000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PLAN =
      "<think>t</think><structured_plan><deep_analysis>d</deep_analysis><rubric>r</rubric>"
          + "<research_plan>p</research_plan></structured_plan>"
          + "<call_tool name=\"local_search\">tides</call_tool>";
  private static final String ANSWER =
      "<think>t</think><state_evaluation>s</state_evaluation><review><rubric_review>r"
          + "</rubric_review><writing_plan>w</writing_plan></review><answer>Nobody knows.</answer>";

  private final Config config;
  private final Path folder;
  private final Consumer<BenchLine> out;

  /** @param folder an empty folder on a real disk */
  public EdgeBench(Config config, Path folder, Consumer<BenchLine> out) {
    this.config =
        config.withValue(
            "rubricem.data-dir", ConfigValueFactory.fromAnyRef(folder.resolve("data").toString()));
    this.folder = folder;
    this.out = out;
  }

  public void run(int rounds) throws Exception {
    Path script = folder.resolve("script.jsonl");
    Files.writeString(
        script,
        JSON.writeValueAsString(Map.of("text", PLAN)) + "\n"
            + JSON.writeValueAsString(Map.of("text", ANSWER)) + "\n");
    Files.createDirectories(folder.resolve("data"));
    NodeSettings settings = NodeSettings.of(config);
    try (ResearchNode node =
        new ResearchNode(config, settings, Secret.NONE, true, Clock.systemUTC())) {
      NodeEdge edge =
          NodeEdge.start(
                  node, EdgeConfig.settings(config, Optional.empty(), Optional.of(0)),
                  EdgeConfig.offer(config, settings, List.of("scripted:" + script), List.of()),
                  EdgeConfig.doors(config))
              .toCompletableFuture().get();
      edge.ready();
      for (int round = 1; round <= rounds; round++) {
        round(URI.create(edge.address()), round);
      }
      edge.stop().toCompletableFuture().get();
    }
  }

  private void round(URI base, int round) throws Exception {
    ResearchBurst burst = new ResearchBurst(base, EPISODES);
    long begin = System.nanoTime();
    try (var asking = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<long[]> asked = asking.submit(burst::ask);
      burst.submit("round-" + round);
      line("submitted_seconds", (System.nanoTime() - begin) / 1e9, "s", round);
      burst.awaitEnds();
      line("all_ended_seconds", (System.nanoTime() - begin) / 1e9, "s", round);
      long[] nanos = asked.get();
      line("get_ms_p50", nanos[nanos.length / 2] / 1e6, "ms", round);
      line("get_ms_p99", nanos[(int) (nanos.length * 0.99)] / 1e6, "ms", round);
    }
    line("heap_mb", heapMb(), "MB", round);
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

  private void line(String metric, double value, String unit, int round) {
    out.accept(
        new BenchLine("edge", metric, value, unit, Map.of("episodes", EPISODES, "round", round)));
  }
}
