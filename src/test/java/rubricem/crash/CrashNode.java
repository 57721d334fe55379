package rubricem.crash;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import rubricem.actors.episode.EpisodePorts;
import rubricem.actors.policy.ScriptedPolicy;
import rubricem.app.node.EpisodeHost;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.PromptResources;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeProjection;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.StoredEvents;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.port.ToolRequest;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * A node as the program runs it, with a policy and a tool that leave a line in a file for
 * each call. It first waits, without a word to anybody, until an episode that an earlier process
 * left behind has ended; then it plays another one and dies at the point it was told.
 *
 * <p>Arguments: folder, episode to wait for or {@code -}, episode to play or {@code -}, number of
 * the write, {@code before} or {@code after}.
 */
final class CrashNode {
  static final int TOOL_CALLS = 6;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path folder;
  private final NodeSettings settings;
  private final EpisodeHost host;

  private CrashNode(Path folder) {
    this.folder = folder;
    Config config = config(folder);
    this.settings = NodeSettings.of(config);
    this.host = EpisodeHost.start(config, settings.episode(), this::ports, true);
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 3) {
      HaltingJournal.point =
          Optional.of(
              new HaltingJournal.Point(
                  args[2], Integer.parseInt(args[3]), args[4].equals("before")));
    }
    CrashNode node = new CrashNode(Path.of(args[0]));
    if (!args[1].equals("-")) {
      EpisodeId left = new EpisodeId(args[1]);
      if (node.state(left).started().isEmpty()) {
        node.ask(left);
      }
      node.write(left, node.ended(left));
    }
    if (!args[2].equals("-")) {
      EpisodeId next = new EpisodeId(args[2]);
      node.ask(next);
      node.write(next, node.ended(next));
    }
    System.exit(0);
  }

  private static Config config(Path folder) {
    String url = "jdbc:sqlite:" + folder.resolve("journal.db").toUri();
    return ConfigFactory.parseString(
            "rubricem.journal.class = \"" + HaltingJournal.class.getName() + "\"")
        .withValue("rubricem.database.url", ConfigValueFactory.fromAnyRef(url))
        .withValue("rubricem.data-dir", ConfigValueFactory.fromAnyRef(folder.toString()))
        .withFallback(ConfigFactory.load())
        .resolve();
  }

  private EpisodePorts ports(JournalDatabase database) {
    return new EpisodePorts(
        spec -> Optional.of(new ScriptedPolicy(spec, lines())),
        request -> List.of(new CountedTool()),
        answer -> CompletableFuture.completedStage(List.of()),
        new StoredEvents(database),
        new PromptResources(),
        request -> new Searched(1, 1, List.of()),
        Clock.systemUTC());
  }

  private static List<ScriptedPolicy.Line> lines() {
    List<ScriptedPolicy.Line> lines = new ArrayList<>();
    for (int i = 1; i <= TOOL_CALLS; i++) {
      String head =
          i == 1
              ? "<think>t</think><structured_plan><deep_analysis>d</deep_analysis>"
                  + "<rubric>r</rubric><research_plan>p</research_plan></structured_plan>"
              : "<think>t</think><state_evaluation>s</state_evaluation>";
      lines.add(play(head + "<call_tool name=\"local_search\">q" + i + "</call_tool>"));
    }
    StringBuilder answer =
        new StringBuilder(
            "<think>t</think><state_evaluation>s</state_evaluation><review><rubric_review>r"
                + "</rubric_review><writing_plan>w</writing_plan></review><answer>");
    for (int i = 1; i <= TOOL_CALLS; i++) {
      answer.append("<cite id=\"S_").append(i).append("\">Fact q").append(i).append("</cite>. ");
    }
    lines.add(play(answer + "</answer>"));
    return lines;
  }

  private static ScriptedPolicy.Line play(String text) {
    return new ScriptedPolicy.Line.Play(text, Duration.ZERO, Optional.empty());
  }

  private void ask(EpisodeId id) throws Exception {
    EpisodeRequest request =
        new EpisodeRequest(
            "What is known?", FormatLabel.SHORT_FORM, "scripted:x", List.of("corpus"), List.of(),
            settings.limits(), 1, Map.of());
    host.start(id, request).toCompletableFuture().get();
  }

  private EpisodeState state(EpisodeId id) {
    EpisodeState[] state = {EpisodeState.EMPTY};
    host.journal().read(
        id, 0,
        (sequence, event) -> {
          if (sequence != state[0].events() + 1) {
            throw new AssertionError("event " + sequence + " behind " + state[0].events());
          }
          state[0] = EpisodeFold.apply(state[0], event);
          return true;
        });
    return state[0];
  }

  /** Looks at what is stored only, so that nothing wakes the episode but the node itself. */
  private EpisodeState ended(EpisodeId id) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < until) {
      EpisodeState state = state(id);
      if (state.status().ended()) {
        return state;
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new AssertionError("episode " + id + " did not end");
  }

  private void write(EpisodeId id, EpisodeState state) throws IOException {
    EpisodeView view = EpisodeProjection.view(state);
    Files.writeString(
        folder.resolve(id + ".end"),
        view.usage().repeatedCalls() + "\n" + view.status() + " "
            + view.answer().map(EpisodeView.Answer::markdown).orElse("") + "\n"
            + view.citations() + "\n");
  }

  /** Leaves a line for each call. */
  private final class CountedTool extends SoakTool {
    @Override
    public CompletionStage<ToolOutcome> call(ToolRequest request) {
      try {
        Files.writeString(
            folder.resolve(request.episode() + ".calls"), request.callId() + "\n",
            StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return super.call(request);
    }
  }
}
