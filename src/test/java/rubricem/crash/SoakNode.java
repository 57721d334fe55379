package rubricem.crash;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import rubricem.actors.episode.EpisodePorts;
import rubricem.actors.policy.ScriptedPolicy;
import rubricem.app.node.EpisodeHost;
import rubricem.app.node.EpisodeIds;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.PromptResources;
import rubricem.app.node.ResearchNode;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.StoredEvents;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * A node for {@link JournalSoakIT}: episodes whose turns come at once or after long pauses. Every
 * event that a watcher was told leaves a line in a file, so that somebody else can look for it.
 *
 * <p>Arguments: folder, seed, milliseconds of the longest pause. Ends when its input does.
 */
final class SoakNode {
  private static final int EPISODES = 4;

  private final Path told;
  private final Random random;
  private final int pauseMs;
  private final EpisodeIds ids = new EpisodeIds(Clock.systemUTC(), new SecureRandom());

  private SoakNode(Path folder, long seed, int pauseMs) {
    this.told = folder.resolve("told.txt");
    this.random = new Random(seed);
    this.pauseMs = pauseMs;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    new SoakNode(folder, Long.parseLong(args[1]), Integer.parseInt(args[2])).run(folder);
    System.exit(0);
  }

  private void run(Path folder) throws IOException {
    Config bare =
        ConfigFactory.load()
            .withValue("rubricem.data-dir", ConfigValueFactory.fromAnyRef(folder.toString()));
    NodeSettings settings = NodeSettings.of(bare);
    try (EpisodeHost host =
        EpisodeHost.start(
            ResearchNode.withJournal(bare, settings), settings.episode(), this::ports, true)) {
      Runtime.getRuntime().addShutdownHook(new Thread(host::close));
      for (int i = 0; i < EPISODES; i++) {
        next(host, settings);
      }
      while (System.in.read() >= 0) {
        // until whoever started this one ends it
      }
    }
  }

  private void next(EpisodeHost host, NodeSettings settings) {
    EpisodeId id = ids.next();
    EpisodeRequest request =
        new EpisodeRequest(
            "What is known?", FormatLabel.SHORT_FORM, "scripted:x", List.of("corpus"), List.of(),
            settings.limits(), 1, Map.of());
    host.start(id, request)
        .thenAccept(
            started ->
                host.watch(
                    id, 0,
                    progress -> {
                      if (progress instanceof EpisodeProgress.EventStored stored) {
                        tell(JournalSoakIT.line(id, stored.sequence(), stored.event()));
                      } else if (progress instanceof EpisodeProgress.WatchEnded) {
                        next(host, settings);
                      }
                    }));
  }

  private synchronized void tell(String line) {
    try {
      Files.writeString(
          told, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private EpisodePorts ports(JournalDatabase database) {
    return new EpisodePorts(
        spec -> Optional.of(new ScriptedPolicy(spec, lines())),
        request -> List.of(new SoakTool()),
        answer -> CompletableFuture.completedStage(List.of()),
        new StoredEvents(database), new PromptResources(),
        request -> new Searched(1, 1, List.of()), Clock.systemUTC());
  }

  /** Most turns come at once; some after a pause in which nothing is written. */
  private List<ScriptedPolicy.Line> lines() {
    List<ScriptedPolicy.Line> lines = new ArrayList<>();
    String head =
        "<think>t</think><structured_plan><deep_analysis>d</deep_analysis><rubric>r</rubric>"
            + "<research_plan>p</research_plan></structured_plan>";
    for (int i = 1; i <= 5; i++) {
      lines.add(
          play(
              (i == 1 ? head : "<think>t</think><state_evaluation>s</state_evaluation>")
                  + "<call_tool name=\"local_search\">q" + i + "</call_tool>"));
    }
    lines.add(
        play(
            "<think>t</think><state_evaluation>s</state_evaluation><review><rubric_review>r"
                + "</rubric_review><writing_plan>w</writing_plan></review><answer>"
                + "<cite id=\"S_1\">Fact q1</cite>.</answer>"));
    return lines;
  }

  private ScriptedPolicy.Line play(String text) {
    int delay = random.nextInt(4) == 0 ? random.nextInt(pauseMs) : random.nextInt(50);
    return new ScriptedPolicy.Line.Play(text, Duration.ofMillis(delay), Optional.empty());
  }
}
