package rubricem.app.node;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import rubricem.http.server.Edge;
import rubricem.http.server.EdgeServer;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.FrontDoor;
import rubricem.http.server.health.HealthDoor;
import rubricem.http.server.page.WebPage;
import rubricem.http.server.research.ResearchDoor;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.port.CorpusStatus;

/** The edge of a node: its front doors on one port, over the node's episodes. */
public final class NodeEdge {
  private final Edge edge;
  private final EdgeServer server;
  private final ExecutorService executor;

  private NodeEdge(Edge edge, EdgeServer server, ExecutorService executor) {
    this.edge = edge;
    this.server = server;
    this.executor = executor;
  }

  /**
   * Listens, but takes no work before {@link #ready}. Fails where the address is taken. Episodes
   * that are stored as running go on, whoever began them: nothing is shown as running that is not.
   */
  public static CompletionStage<NodeEdge> start(
      ResearchNode node, EdgeSettings settings, EdgeSettings.Offer offer) {
    EpisodeHost host = node.episodes();
    ExecutorService executor =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("edge-", 0).factory());
    EpisodeIds ids = new EpisodeIds(Clock.systemUTC(), new SecureRandom());
    Edge edge =
        Edge.of(
            new Edge.Ports(
                new HostedEpisodes(host), host.index(), host.requestKeys(), host.eventLog(),
                DurableFormat.json(),
                (sequence, event) -> DurableFormat.json(sequence, event).toString(), ids::next,
                Clock.systemUTC(), executor),
            settings, offer);
    figures(edge, node, offer);
    return EdgeServer.start(host.system(), edge, doors(edge))
        .thenCompose(
            server ->
                edge.active().adopt(host.index())
                    .thenApply(adopted -> new NodeEdge(edge, server, executor)));
  }

  /** The page comes last: it takes every path that nobody else has. */
  private static List<FrontDoor> doors(Edge edge) {
    return new ArrayList<>(
        List.of(new ResearchDoor(edge), new HealthDoor(edge), new WebPage(edge)));
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
    return node.corpora().of(offer.corpus()).status();
  }

  public void ready() {
    edge.readiness().ready();
  }

  /** @param reason what whoever asks is told meanwhile */
  public void notReady(String reason) {
    edge.readiness().notReady(reason);
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
