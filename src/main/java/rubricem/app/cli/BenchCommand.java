package rubricem.app.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rubricem.app.bench.BenchLine;
import rubricem.app.bench.EpisodesBench;
import rubricem.persistence.serialization.DurableFormat;

/** {@code bench}: figures of this machine, one a line. */
@Command(name = "bench", description = "Measures: episodes.", abbreviateSynopsis = true,
    sortOptions = false)
final class BenchCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "episodes")
  private String name;

  @Option(
      names = "--in-flight", paramLabel = "N", split = ",",
      description = "episodes: how many at once. Default: 1,100,1000")
  private List<Integer> inFlight = List.of(1, 100, 1000);

  @Option(
      names = "--seconds", paramLabel = "N",
      description = "How long each figure is measured. Default: 15")
  private long seconds = 15;

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
        default -> throw Failure.usage("There is no benchmark \"" + name + "\": episodes.");
      }
      return 0;
    } finally {
      TemporaryFolder.delete(folder);
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
