package rubricem.app.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;
import rubricem.app.node.EdgeConfig;
import rubricem.app.node.NodePolicies;
import rubricem.app.node.NodeSettings;
import rubricem.http.server.EdgeSettings;
import rubricem.persistence.folder.CorpusRoots;

/** What a node offers to whoever asks it: documents and policies. Checked before anything opens. */
final class OfferOptions {
  static final String NOTHING_TO_SEARCH =
      "There is nothing to search, and every question will be refused. Name a folder with --corpus"
          + " PATH.";
  static final String NOTHING_FOUND =
      "No document that can be read was found, and every question will be refused. Put documents"
          + " into the folder, or name another one with --corpus PATH, and start the server again.";
  static final String BEING_READ = "The documents are being read. Ask again in a moment.";

  @Option(
      names = "--corpus", paramLabel = "PATH",
      description = "A folder or file to search; repeatable. Default: what `index` has read.")
  private List<Path> corpus = List.of();

  @Option(
      names = "--policy", paramLabel = "SPEC",
      description = "A policy that may be asked for; repeatable, the first is the default.")
  private List<String> policies = List.of();

  private List<String> offered = List.of();
  private List<Path> named = List.of();

  void check(CommonOptions common) {
    offered = policies.isEmpty() ? EdgeConfig.policies(common.config()) : policies;
    if (offered.isEmpty()) {
      throw Failure.usage(
          "No policy may be asked for: name one with --policy or in rubricem.server.policies.");
    }
    for (String spec : offered) {
      NodePolicies.problem(spec, common.settings().generation()).ifPresent(problem -> {
        throw Failure.usage(problem);
      });
    }
    named = CorpusPreparation.existing(corpus);
    NodePolicies.hint(offered).ifPresent(common.console()::say);
  }

  /** The folders to search: those named, else those the data folder knows. */
  List<Path> roots(Path dataFolder) throws IOException {
    return named.isEmpty() ? CorpusRoots.of(dataFolder).list() : named;
  }

  EdgeSettings.Offer offer(CommonOptions common, NodeSettings settings, List<Path> roots) {
    return EdgeConfig.offer(common.config(), settings, offered, roots);
  }
}
