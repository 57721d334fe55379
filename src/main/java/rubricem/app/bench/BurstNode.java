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
import rubricem.app.node.EdgeConfig;
import rubricem.app.node.NodeEdge;
import rubricem.app.node.NodePolicies;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.ResearchNode;
import rubricem.http.llm.Secret;
import rubricem.persistence.corpus.CorpusIndexing;
import rubricem.persistence.corpus.IndexingWatcher;
import rubricem.protocol.port.Corpus;

/**
 * A whole node behind a port of its own: with a policy of no latency that searches nothing once, or
 * with the embedded policy on documents.
 */
public final class BurstNode implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PLAN =
      "<think>t</think><structured_plan><deep_analysis>d</deep_analysis><rubric>r</rubric>"
          + "<research_plan>p</research_plan></structured_plan>"
          + "<call_tool name=\"local_search\">tides</call_tool>";
  private static final String ANSWER =
      "<think>t</think><state_evaluation>s</state_evaluation><review><rubric_review>r"
          + "</rubric_review><writing_plan>w</writing_plan></review><answer>Nobody knows.</answer>";

  private final ResearchNode node;
  private final NodeEdge edge;

  private BurstNode(ResearchNode node, NodeEdge edge) {
    this.node = node;
    this.edge = edge;
  }

  /** @param folder an empty folder on a real disk */
  public static BurstNode start(Config config, Path folder) throws Exception {
    Path documents = Files.createDirectories(folder.resolve("documents"));
    Path data = Files.createDirectories(folder.resolve("data"));
    Path script = folder.resolve("script.jsonl");
    Files.writeString(
        script,
        JSON.writeValueAsString(Map.of("text", PLAN)) + "\n"
            + JSON.writeValueAsString(Map.of("text", ANSWER)) + "\n");
    return start(
        own(config, data), List.of("scripted:" + script), List.of(documents));
  }

  /** The same with the embedded policy; returns once the documents have their vectors. */
  public static BurstNode on(Config config, Path folder, List<Path> documents) throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    BurstNode node = start(own(config, data), List.of(NodePolicies.EXTRACTIVE), documents);
    try {
      NodeSettings settings = NodeSettings.of(own(config, data));
      new CorpusIndexing(settings.corpusFolder(), settings.corpus(), node.node.embedding().model())
          .run(documents, IndexingWatcher.NONE);
      return node;
    } catch (Exception e) {
      node.close();
      throw e;
    }
  }

  private static Config own(Config config, Path data) {
    return config.withValue(
        "rubricem.data-dir", ConfigValueFactory.fromAnyRef(data.toString()));
  }

  private static BurstNode start(Config own, List<String> policies, List<Path> documents)
      throws Exception {
    NodeSettings settings = NodeSettings.of(own);
    ResearchNode node =
        new ResearchNode(
            EdgeConfig.sharing(own, Runtime.getRuntime().availableProcessors()), settings,
            Secret.NONE, true, Clock.systemUTC());
    NodeEdge edge =
        NodeEdge.start(
                node, EdgeConfig.settings(own, Optional.empty(), Optional.of(0)),
                EdgeConfig.offer(own, settings, policies, documents), EdgeConfig.doors(own))
            .toCompletableFuture().get();
    edge.readiness().ready();
    edge.rehearse(EdgeConfig.rehearsal(own)).toCompletableFuture().get();
    return new BurstNode(node, edge);
  }

  Corpus corpus(List<Path> documents) {
    return node.corpora().of(documents.stream().map(Path::toString).toList());
  }

  public URI address() {
    return URI.create(edge.address());
  }

  @Override
  public void close() {
    try {
      edge.stop().toCompletableFuture().join();
    } finally {
      node.close();
    }
  }
}
