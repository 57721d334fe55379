package rubricem.app.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rubricem.app.node.EpisodeIds;
import rubricem.app.node.NodePolicies;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.ResearchNode;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.folder.CorpusRoots;
import rubricem.persistence.folder.DataFolder;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.port.CorpusStatus;

/** {@code ask}: one episode on a node inside this process. */
@Command(
    name = "ask",
    description = "Researches a question in your documents and prints a cited report.",
    footer = {
      "",
      "Policies: extractive is built in and quotes your documents, without any model server;"
          + " openai: speaks to any Chat Completions server (vLLM, llama.cpp, Ollama, OpenAI), its"
          + " key comes from OPENAI_API_KEY; scripted: plays turns from a file, for tests.",
      "At a limit (--max-...) the research ends and the answer is written from what was found.",
      "An episode that was interrupted goes on when the same command is given again.",
      "",
      "Examples:",
      "  ./rubricem ask \"How is the lamp lit?\" --corpus ~/papers --output report.pdf",
      "  ./rubricem ask - --json --quiet < question.txt",
      "  ./rubricem ask --resume e01m8mp9y6eyv45aa4gv7xs9bd9"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Answered.", "1:Failed; what was found is kept, --resume goes on.", "2:Wrong usage.",
      "3:No evidence found.", "130:Interrupted; the same command goes on."
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class AskCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..1", paramLabel = "QUESTION",
      description = "The question in quotes, or - to read it from standard input.")
  private String question;

  @Option(
      names = "--resume", paramLabel = "ID",
      description = "Goes on with an interrupted or failed episode; of one that has ended it"
          + " prints the report again. A beginning of the id that no other has will do. The command"
          + " episodes lists the ids.")
  private String resume;

  @Option(
      names = "--output", paramLabel = "FILE",
      description = "Also writes the report: .md, .html, .pdf or .json by its ending.")
  private Path output;

  @Mixin private CommonOptions common;
  @Mixin private AskOptions options;

  @Override
  public Integer call() throws IOException {
    if ((question == null) == (resume == null)) {
      throw Failure.usage("Give either a question or --resume ID.");
    }
    ReportFile.check(output);
    NodeSettings settings = common.settings();
    String text =
        question == null
            ? ""
            : Questions.read(question, System.in, settings.questionCharsMax());
    // whatever is wrong with it is said before anything is opened
    EpisodeRequest asked = options.request(text, List.of(), settings);
    List<Path> named = CorpusPreparation.existing(options.corpus);
    try (DataFolder folder = DataFolder.lock(settings.dataDir())) {
      CommonOptions.checkRoom(settings);
      LogFile.use(folder.path());
      List<Path> roots = named.isEmpty() ? CorpusRoots.of(folder.path()).list() : named;
      return run(settings, AskOptions.over(asked, roots), roots);
    }
  }

  private int run(NodeSettings settings, EpisodeRequest request, List<Path> roots) {
    Console console = common.console();
    if (roots.isEmpty() && resume == null) {
      throw Failure.usage(
          "There is nothing to search. Name a folder or file with --corpus PATH, or read documents"
              + " in with ./rubricem index PATH.");
    }
    try (ResearchNode node =
        new ResearchNode(
            common.config(), settings, Keys.openai(), false, Clock.systemUTC())) {
      node.storage().onChange(console::warn);
      EpisodeView view;
      if (resume == null) {
        Optional<EpisodeId> unfinished = Unfinished.sameAs(node.episodes().journal(), request);
        EpisodeId id = unfinished.orElseGet(() -> newId());
        CorpusPreparation corpus = prepare(console, settings, node, roots);
        try {
          announce(console, id, unfinished.isPresent());
          NodePolicies.hint(List.of(request.policy())).ifPresent(console::say);
          view = follow(node, console, id, EpisodeState.EMPTY, node.episodes().start(id, request));
        } finally {
          corpus.stop();
        }
      } else {
        view = goOn(node, console, settings, GivenId.find(node.episodes().journal(), resume));
      }
      return new Ending(
              console, common.json, output, Interruption.sameFolder(common.config()))
          .of(view);
    }
  }

  private EpisodeView goOn(
      ResearchNode node, Console console, NodeSettings settings, EpisodeId id) {
    EpisodeView stored = Unfinished.find(node.episodes().journal(), id);
    if (stored.status() == EpisodeStatus.COMPLETED || stored.status() == EpisodeStatus.CANCELLED) {
      return stored;
    }
    if (stored.status() != EpisodeStatus.FAILED
        && options.namedPolicy(settings).filter(p -> !p.equals(stored.policy().spec())).isPresent()) {
      throw Failure.usage(
          "Episode " + id + " was interrupted and goes on with its own policy, "
              + stored.policy().spec() + ". Only a failed one can go on with another: leave"
              + " --policy away, or ask again.");
    }
    String policy = options.namedPolicy(settings).orElse(stored.policy().spec());
    NodePolicies.problem(policy, settings.generation()).ifPresent(problem -> {
      throw Failure.usage(problem);
    });
    CorpusPreparation corpus =
        prepare(console, settings, node, Unfinished.roots(node.episodes().journal(), id));
    try {
      announce(console, id, true);
      NodePolicies.hint(List.of(policy)).ifPresent(console::say);
      EpisodeState before = Unfinished.state(node.episodes().journal(), id);
      return follow(node, console, id, before, node.episodes().resume(id, policy));
    } finally {
      corpus.stop();
    }
  }

  private static EpisodeId newId() {
    return new EpisodeIds(Clock.systemUTC(), new SecureRandom()).next();
  }

  private CorpusPreparation prepare(
      Console console, NodeSettings settings, ResearchNode node, List<Path> roots) {
    CorpusPreparation corpus =
        CorpusPreparation.start(console, settings, node.embedding().model(), roots);
    try {
      corpus.awaitKeywords();
      CorpusStatus status =
          node.corpora().of(roots.stream().map(Path::toString).toList()).status();
      corpus.awaitVectors(settings.vectorWait(), status.passages() - status.vectors());
      if (node.corpora().of(roots.stream().map(Path::toString).toList()).status().documents()
          == 0) {
        throw Failure.work(Unreadable.nothing(corpus.await()));
      }
    } catch (RuntimeException e) {
      corpus.stop();
      throw e;
    }
    return corpus;
  }

  private void announce(Console console, EpisodeId id, boolean goesOn) {
    console.say((goesOn ? "going on with episode " : "episode ") + id);
    Interruption.onInterrupt(
        () ->
            console.warn(
                "\nInterrupted. Nothing is lost: go on with  ./rubricem ask --resume " + id
                    + Interruption.sameFolder(common.config())));
  }

  private EpisodeView follow(
      ResearchNode node, Console console, EpisodeId id, EpisodeState before,
      CompletionStage<EpisodeView> begun) {
    ProgressLines lines = new ProgressLines(console, common.settings().episode(), before);
    CompletableFuture<EpisodeView> end = new CompletableFuture<>();
    try {
      begun.toCompletableFuture().get();
      node.episodes().watch(
          id, before.events(),
          progress -> {
            lines.on(progress);
            if (progress instanceof EpisodeProgress.WatchEnded ended) {
              ended.view().ifPresentOrElse(
                  end::complete,
                  () -> end.completeExceptionally(
                      new IllegalStateException("the episode is not there")));
            }
          });
      return end.get();
    } catch (ExecutionException e) {
      throw Failure.work("The episode could not be run: " + e.getCause().getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.work("Interrupted. Go on with --resume " + id + ".");
    } finally {
      Interruption.done();
    }
  }
}
