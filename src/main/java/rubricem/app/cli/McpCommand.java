package rubricem.app.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import rubricem.app.node.EdgeConfig;
import rubricem.app.node.NodeEdge;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.ResearchNode;
import rubricem.http.server.Edge;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.Readiness;
import rubricem.http.server.mcp.McpLines;
import rubricem.persistence.folder.DataFolder;

/**
 * {@code mcp}: the tools for an MCP host that starts us itself. Standard output carries the
 * protocol and nothing else; everything for people goes to standard error and the log.
 */
@Command(
    name = "mcp",
    description = "Serves the research tools to an MCP host over standard input and output.",
    footer = {
      "",
      "For hosts that start their servers: command ./rubricem, arguments mcp --corpus PATH. It ends"
          + " with its input; episodes that were running then go on at the next start."
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class McpCommand implements Callable<Integer> {
  @Mixin private OfferOptions offering;

  @Mixin private CommonOptions common;

  @Override
  public Integer call() throws IOException {
    NodeSettings settings = common.settings();
    offering.check(common);
    try (DataFolder folder = DataFolder.lock(settings.dataDir())) {
      CommonOptions.checkRoom(settings);
      LogFile.use(folder.path());
      List<Path> roots = offering.roots(folder.path());
      return converse(settings, offering.offer(common, settings, roots), roots);
    }
  }

  private int converse(NodeSettings settings, EdgeSettings.Offer offer, List<Path> roots)
      throws IOException {
    try (ExecutorService executor =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("mcp-", 0).factory());
        ResearchNode node =
            new ResearchNode(common.config(), settings, Keys.openai(), true, Clock.systemUTC())) {
      Edge edge =
          NodeEdge.edge(
              node, EdgeConfig.settings(common.config(), Optional.empty(), Optional.empty()),
              offer, executor);
      edge.active().adopt(node.episodes().index()).toCompletableFuture().join();
      Optional<CorpusPreparation> documents = documents(node, edge, settings, roots, executor);
      try {
        new McpLines(
                edge, EdgeConfig.doors(common.config()).mcp(),
                () -> NodeEdge.corpus(node, offer))
            .run(
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                line -> common.console().out(line + "\n"));
        return 0;
      } finally {
        documents.ifPresent(CorpusPreparation::stop);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Beside the conversation: a host gives up on a server that does not answer at once. */
  private Optional<CorpusPreparation> documents(
      ResearchNode node, Edge edge, NodeSettings settings, List<Path> roots,
      ExecutorService executor) {
    Optional<CorpusPreparation> documents =
        DocumentsOnOffer.begin(common.console(), settings, node, edge.readiness(), roots);
    documents.ifPresent(
        reading -> executor.execute(() -> decide(node, edge.readiness(), reading, roots)));
    return documents;
  }

  private void decide(
      ResearchNode node, Readiness readiness, CorpusPreparation documents, List<Path> roots) {
    try {
      DocumentsOnOffer.decide(common.console(), node, readiness, documents, roots);
    } catch (Failure e) {
      readiness.refuse(e.getMessage());
      common.console().warn(e.getMessage());
    } catch (RuntimeException e) {
      readiness.refuse("The documents cannot be searched. The log of the server says why.");
      LoggerFactory.getLogger(McpCommand.class).error("the documents cannot be searched", e);
    }
  }
}
