package rubricem.app.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rubricem.app.node.Embedding;
import rubricem.app.node.NodeSettings;
import rubricem.persistence.corpus.IndexingOutcome;
import rubricem.persistence.folder.CorpusRoots;
import rubricem.persistence.folder.DataFolder;
import rubricem.persistence.serialization.DurableFormat;

/** {@code index}: reads documents into the corpus. */
@Command(name = "index",
    description = "Reads local documents into the corpus; ask then searches them without --corpus.",
    footer = {
      "",
      "Reads Markdown, text, HTML, PDF, DOCX, ODT, EPUB, PPTX, XLSX, CSV and more, by content and"
          + " not by name. What cannot be read is listed with its reason. The same command given"
          + " again reads only what is new or changed, and drops what is gone.",
      "",
      "Example:",
      "  ./rubricem index ~/papers ~/notes/todo.md"
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class IndexCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*", paramLabel = "PATH", description = "Folders, with all below them, and files.")
  private List<Path> paths;

  @Option(
      names = "--no-wait",
      description = "Ends when documents can be found by their words. The vectors, by which they"
          + " are found by meaning, are added by the next run.")
  private boolean noWait;

  @Mixin private CommonOptions common;

  @Override
  public Integer call() throws IOException {
    NodeSettings settings = common.settings();
    List<Path> roots = CorpusPreparation.existing(paths);
    Path folder = DataFolder.writable(settings.dataDir());
    CommonOptions.checkRoom(settings);
    LogFile.use(folder);
    Console console = common.console();
    try (Embedding embedding = new Embedding(settings.vectorsKept())) {
      CorpusPreparation corpus =
          CorpusPreparation.start(console, settings, embedding.model(), roots);
      Interruption.onInterrupt(
          () -> console.warn("\nInterrupted. What is indexed stays; the same command goes on."));
      IndexingOutcome outcome = indexed(corpus);
      if (outcome.nothingToSearch()) {
        throw Failure.work(Unreadable.nothing(outcome));
      }
      CorpusRoots.of(folder).add(roots);
      report(console, outcome);
      return 0;
    }
  }

  private IndexingOutcome indexed(CorpusPreparation corpus) {
    try {
      corpus.awaitKeywords();
      if (noWait) {
        corpus.stop();
      }
      return corpus.await();
    } finally {
      Interruption.done();
    }
  }

  private void report(Console console, IndexingOutcome outcome) throws IOException {
    if (common.json) {
      console.out(
          TerminalText.json(DurableFormat.json().writeValueAsString(
                  Map.of(
                      "documents", outcome.documents(), "read", outcome.read(), "removed",
                      outcome.removed(), "passages", outcome.passages(), "vectors_pending",
                      outcome.vectorsPending(), "unreadable", outcome.unreadable(), "notes",
                      outcome.notes())))
              + "\n");
      return;
    }
    outcome.unreadable().forEach(u -> print(console, u.document() + ": " + u.reason()));
    outcome.problems().forEach(p -> print(console, p.path() + " " + p.reason()));
    outcome.notes().forEach(note -> print(console, note));
    console.out(
        Words.count(outcome.documents(), "document") + " can be searched (" + outcome.read() + " read now, "
            + outcome.removed() + " gone, " + outcome.unreadable().size() + " unreadable), "
            + Words.count(outcome.passages(), "passage") + ", " + outcome.vectorsPending()
            + " still without vectors.\n");
  }

  private static void print(Console console, String line) {
    console.out(TerminalText.lines(line) + "\n");
  }
}
