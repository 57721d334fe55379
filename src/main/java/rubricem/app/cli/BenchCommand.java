package rubricem.app.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rubricem.app.bench.BenchLine;
import rubricem.app.bench.CorpusFigures;
import rubricem.app.bench.EdgeBench;
import rubricem.app.bench.EpisodesBench;
import rubricem.app.node.Embedding;
import rubricem.persistence.replay.ReplayBench;
import rubricem.persistence.serialization.DurableFormat;

/** {@code bench}: figures of this machine, one a line. */
@Command(
    name = "bench",
    description = "Measures this machine: episodes, replay, corpus, edge, learner.",
    footer = {
      "",
      "episodes: turns a second with every event on disk, and what a waiting episode weighs."
          + " replay: stored events read a second. corpus PATH: time to index, time to search, and"
          + " the questions on the manual of PostgreSQL. edge: a thousand episodes submitted over HTTP"
          + " within a second, twenty times; with --corpus they are questions on those documents."
          + " learner: tokens a second that are trained, and how much of the machine's peak that"
          + " is. Each makes a folder of its own in the data folder and removes it again.",
      "With --json: JSON Lines, one figure object a line.",
      "",
      "Examples:",
      "  ./rubricem bench episodes --in-flight 100 --seconds 40",
      "  ./rubricem bench learner --shape tiny1m,small10m --peer ~/venv/bin/python",
      "  ./rubricem bench edge --corpus ~/notes --rounds 3 --json",
      "  ./rubricem bench corpus /usr/share/doc/postgresql-doc-15/html --json"
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class BenchCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "NAME", description = "episodes, replay, corpus, edge or learner")
  private String name;

  @Parameters(
      index = "1..*", paramLabel = "PATH",
      description = "corpus: what to index. Its questions are asked where PATH is the manual of"
          + " PostgreSQL 15 (Debian: postgresql-doc-15, /usr/share/doc/postgresql-doc-15/html).")
  private List<Path> paths = List.of();

  @Option(
      names = "--in-flight", paramLabel = "N", split = ",",
      description = "episodes: how many at once; 0: only the heap. Default: 1,100,1000")
  private List<Integer> inFlight = List.of(1, 100, 1000);

  @Option(
      names = "--seconds", paramLabel = "N",
      description = "How long each figure is measured. Default: 15")
  private long seconds = 15;

  @Option(names = "--rounds", paramLabel = "N", description = "edge: how many bursts. Default: 20")
  private int rounds = 20;

  @Option(
      names = "--corpus", paramLabel = "PATH",
      description = "edge: asks the embedded policy about these documents, with real searches,"
          + " instead of a policy and a search that cost nothing.")
  private List<Path> documents = List.of();

  @Mixin private LearnerBenchOptions learner;
  @Mixin private CommonOptions common;

  @Override
  public Integer call() throws Exception {
    Path base = Files.createDirectories(common.settings().dataDir());
    Path folder = Files.createTempDirectory(base, "bench-");
    LogFile.use(folder);
    Console console = common.console();
    try {
      switch (name) {
        case "episodes" ->
            new EpisodesBench(
                    common.config(), folder, Duration.ofSeconds(seconds),
                    line -> print(console, line))
                .run(inFlight);
        case "replay" -> replay(console, folder);
        case "corpus" -> corpus(console, folder);
        case "edge" ->
            edge(new EdgeBench(common.config(), folder, line -> print(console, line)));
        case "learner" -> learner.run(common.config(), line -> print(console, line));
        default ->
            throw Failure.usage(
                "There is no benchmark \"" + name + "\": episodes, replay, corpus, edge or learner.");
      }
      return 0;
    } finally {
      TemporaryFolder.delete(folder);
    }
  }

  private void edge(EdgeBench bench) throws Exception {
    if (documents.isEmpty()) {
      bench.run(rounds);
    } else {
      bench.run(rounds, CorpusPreparation.existing(documents));
    }
  }

  private void replay(Console console, Path folder) {
    ReplayBench.Load load = ReplayBench.Load.USUAL;
    ReplayBench.Figures figures = ReplayBench.run(folder, load);
    Map<String, Object> params = Map.of("events", figures.events(), "episodes", load.episodes());
    print(
        console,
        new BenchLine(
            "replay", "events_folded_per_second", figures.foldedPerSecond(), "1/s", params));
    print(
        console,
        new BenchLine(
            "replay", "events_folded_in_memory_per_second", figures.foldAlonePerSecond(), "1/s",
            params));
  }

  private void corpus(Console console, Path folder) throws Exception {
    if (paths.isEmpty()) {
      throw Failure.usage("bench corpus needs a folder to index: ./rubricem bench corpus PATH");
    }
    List<Path> roots = CorpusPreparation.existing(paths);
    try (Embedding embedding = new Embedding(common.settings().vectorsKept())) {
      new CorpusFigures(
              common.settings(), embedding.model(), line -> print(console, line))
          .run(roots, folder.resolve("index"));
    }
  }

  private void print(Console console, BenchLine line) {
    try {
      console.out(
          (common.json
                  ? DurableFormat.json().writeValueAsString(line)
                  : String.format(
                      "%-34s %14.3f %-4s %s", line.metric(), line.value(), line.unit(),
                      line.params()))
              + "\n");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
