package rubricem.app.node;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import rubricem.http.server.Edge;
import rubricem.http.server.EdgeServer;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.FrontDoor;
import rubricem.http.server.Readiness;
import rubricem.http.server.Rehearsal;
import rubricem.http.server.health.HealthDoor;
import rubricem.http.server.mcp.McpDoor;
import rubricem.http.server.mcp.McpDoorSettings;
import rubricem.http.server.openai.OpenAiDoor;
import rubricem.http.server.openai.OpenAiDoorSettings;
import rubricem.http.server.page.WebPage;
import rubricem.http.server.research.ResearchDoor;
import rubricem.http.server.run.RunDoor;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.CorpusStatus;
import rubricem.protocol.run.RubricBanks;
import rubricem.protocol.run.TrainingRuns;

/** The edge of a node: its front doors on one port, over the node's episodes. */
public final class NodeEdge {
  private final Edge edge;
  private final EdgeServer server;
  private final ExecutorService executor;
  private final IntFunction<CompletionStage<Void>> rehearsal;

  private NodeEdge(
      Edge edge, EdgeServer server, ExecutorService executor,
      IntFunction<CompletionStage<Void>> rehearsal) {
    this.edge = edge;
    this.server = server;
    this.executor = executor;
    this.rehearsal = rehearsal;
  }

  /** The settings of the doors that have some. */
  public record Doors(OpenAiDoorSettings openai, McpDoorSettings mcp) {}

  /**
   * Listens, but takes no work before {@link #readiness} says so. Fails where the address is taken,
   * and with {@link SystemUnstartable} where Pekko's server does not take its configuration. Episodes
   * that are stored as running go on, whoever began them: nothing is shown as running that is not.
   */
  public static CompletionStage<NodeEdge> start(
      ResearchNode node, EdgeSettings settings, EdgeSettings.Offer offer, Doors doors) {
    EpisodeHost host = node.episodes();
    ExecutorService executor =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("edge-", 0).factory());
    Edge edge = edge(node, settings, offer, executor);
    figures(edge, node, offer);
    node.embedding().model().whenComplete(
        (model, failure) -> {
          if (failure != null) {
            edge.readiness().limited(
                "The embedding model could not be loaded: documents are found by their words only."
                    + " doctor says why.");
          }
        });
    return listening(host, edge, doors(edge, doors, () -> corpus(node, offer), node.runs(executor)))
        .thenCompose(
            server ->
                edge.active().adopt(host.index())
                    .thenApply(
                        adopted ->
                            new NodeEdge(
                                edge, server, executor,
                                requests ->
                                    rehearse(node, settings, offer, executor, requests))));
  }

  private static CompletionStage<EdgeServer> listening(
      EpisodeHost host, Edge edge, List<FrontDoor> doors) {
    try {
      return EdgeServer.start(host.system(), edge, doors);
    } catch (RuntimeException e) {
      throw new SystemUnstartable(host.system().settings().config(), e);
    }
  }

  private static CompletionStage<Void> rehearse(
      ResearchNode node, EdgeSettings settings, EdgeSettings.Offer offer,
      ExecutorService executor, int requests) {
    Edge beside = edge(node, Rehearsal.settings(settings), offer, executor);
    beside.readiness().ready();
    return Rehearsal.play(
        node.episodes().system(), beside, List.of(new ResearchDoor(beside)), requests, executor);
  }

  /** The edge alone, for a conversation that comes by another way than a port. */
  public static Edge edge(
      ResearchNode node, EdgeSettings settings, EdgeSettings.Offer offer,
      ExecutorService executor) {
    EpisodeHost host = node.episodes();
    EpisodeIds ids = new EpisodeIds(Clock.systemUTC(), new SecureRandom());
    Edge edge = Edge.of(
        new Edge.Ports(
            new HostedEpisodes(host, node.storage()::refuses), host.index(), host.requestKeys(),
            host.eventLog(), DurableFormat.json(),
            (sequence, event) -> DurableFormat.json(sequence, event).toString(), ids::next,
            Clock.systemUTC(), executor),
        settings, offer);
    edge.readiness().watch(node.storage()::trouble);
    return edge;
  }

  /** What the source {@code corpus} means here. */
  public static Corpus corpus(ResearchNode node, EdgeSettings.Offer offer) {
    return node.corpora().of(offer.corpus());
  }

  /** The page comes last: it takes every path that nobody else has. */
  private static List<FrontDoor> doors(
      Edge edge, Doors settings, Supplier<Corpus> corpus, TrainingRuns runs) {
    return new ArrayList<>(
        List.of(
            new ResearchDoor(edge), new OpenAiDoor(edge, settings.openai()),
            new McpDoor(edge, settings.mcp(), corpus), new RunDoor(edge, runs, RubricBanks.NONE),
            new HealthDoor(edge), new WebPage(edge)));
  }

  private static void figures(Edge edge, ResearchNode node, EdgeSettings.Offer offer) {
    Runtime runtime = Runtime.getRuntime();
    edge.metrics().gaugeOf(
        "rubricem_heap_bytes", "Memory in use, what can be collected included.",
        () -> runtime.totalMemory() - runtime.freeMemory());
    edge.metrics().gauge(
        "rubricem_corpus_documents", "Documents that can be searched.",
        () -> status(node, offer).documents());
    edge.metrics().gauge(
        "rubricem_corpus_passages", "Passages that can be found by their words.",
        () -> status(node, offer).passages());
    edge.metrics().gauge(
        "rubricem_corpus_vectors", "Passages that can be found by their meaning too.",
        () -> status(node, offer).vectors());
  }

  private static CorpusStatus status(ResearchNode node, EdgeSettings.Offer offer) {
    return corpus(node, offer).status();
  }

  /** Whether questions are taken: not before somebody says so here. */
  public Readiness readiness() {
    return edge.readiness();
  }

  /** Lets the first of many who come at once meet code that is compiled. See {@link Rehearsal}. */
  public CompletionStage<Void> rehearse(int requests) {
    return rehearsal.apply(requests);
  }

  /** Where it listens, as a client writes it. */
  public String address() {
    String host = edge.settings().host();
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
        + server.address().getPort();
  }

  /** Takes nothing more, tells readers, lets requests finish; the node goes on. */
  public CompletionStage<Void> stop() {
    return server.stop().whenComplete((done, failure) -> executor.shutdown());
  }
}
