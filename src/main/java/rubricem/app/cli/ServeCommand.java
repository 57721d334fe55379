package rubricem.app.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import rubricem.app.node.EdgeConfig;
import rubricem.app.node.NodeEdge;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.ResearchNode;
import rubricem.http.server.AddressUnusable;
import rubricem.http.server.EdgeSettings;
import rubricem.persistence.folder.DataFolder;
import rubricem.persistence.serialization.DurableFormat;

/** {@code serve}: a node with the HTTP API and the web page, until somebody ends it. */
@Command(
    name = "serve",
    description = "Serves the web page and the HTTP API.",
    footer = {
      "",
      "Episodes that were running when the last server ended go on by themselves. Exit codes: 0"
          + " ended by SIGTERM, 1 failed, 2 wrong usage, 130 interrupted."
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class ServeCommand implements Callable<Integer> {
  private static final int PORT_MAX = 65_535;

  /** Beyond the patience with requests: the server itself needs a moment to close. */
  private static final int STOP_SECONDS = 15;

  @Option(
      names = "--host", paramLabel = "H",
      description = "What to listen on. Default: 127.0.0.1, this machine only")
  private String host;

  @Option(
      names = "--port", paramLabel = "N",
      description = "Default: 8080; 0 takes a free one and prints it.")
  private Integer port;

  @Mixin private OfferOptions offering;

  @Mixin private CommonOptions common;

  @Override
  public Integer call() throws IOException {
    NodeSettings settings = common.settings();
    EdgeSettings edge = edge();
    offering.check(common);
    try (DataFolder folder = DataFolder.lock(settings.dataDir())) {
      CommonOptions.checkRoom(settings);
      LogFile.use(folder.path());
      List<Path> roots = offering.roots(folder.path());
      return serve(settings, edge, offering.offer(common, settings, roots), roots);
    }
  }

  private EdgeSettings edge() {
    if (port != null && (port < 0 || port > PORT_MAX)) {
      throw Failure.usage("--port must be from 0 to " + PORT_MAX + ".");
    }
    if (host != null && host.isBlank()) {
      throw Failure.usage("--host is empty. Name an address, or leave it away for 127.0.0.1.");
    }
    try {
      return EdgeConfig.settings(
          common.config(), Optional.ofNullable(host), Optional.ofNullable(port));
    } catch (com.typesafe.config.ConfigException e) {
      throw Failure.usage("The configuration cannot be used: " + e.getMessage());
    }
  }

  private int serve(
      NodeSettings settings, EdgeSettings edgeSettings, EdgeSettings.Offer offer,
      List<Path> roots) {
    Signals signals = Signals.taken();
    try (ResearchNode node =
        new ResearchNode(
            EdgeConfig.sharing(common.config(), Runtime.getRuntime().availableProcessors()),
            settings, Keys.openai(), true, Clock.systemUTC())) {
      node.episodes()
          .requestKeys()
          .forget(common.config().getDuration("rubricem.server.request-keys-kept"));
      NodeEdge edge =
          bound(NodeEdge.start(node, edgeSettings, offer, EdgeConfig.doors(common.config())));
      Optional<CorpusPreparation> documents = Optional.empty();
      try {
        documents = documents(node, edge, settings, roots);
        announce(edge.address());
        edge.rehearse(EdgeConfig.rehearsal(common.config()));
        return signals.await();
      } finally {
        common.console().say("stopping; what runs goes on at the next start");
        stop(edge.stop());
        documents.ifPresent(CorpusPreparation::stop);
      }
    }
  }

  private static NodeEdge bound(CompletionStage<NodeEdge> start) {
    try {
      return start.toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.work("Interrupted.");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof AddressUnusable unusable
          ? Failure.work(unusable.getMessage())
          : new IllegalStateException("the server did not start", e.getCause());
    }
  }

  /** Words first: whoever reads the address gets answers from the documents at once. */
  private Optional<CorpusPreparation> documents(
      ResearchNode node, NodeEdge edge, NodeSettings settings, List<Path> roots) {
    Console console = common.console();
    Optional<CorpusPreparation> documents =
        DocumentsOnOffer.begin(console, settings, node, edge.readiness(), roots);
    try {
      documents.ifPresent(
          reading -> DocumentsOnOffer.decide(console, node, edge.readiness(), reading, roots));
      return documents;
    } catch (RuntimeException e) {
      documents.ifPresent(CorpusPreparation::stop);
      throw e;
    }
  }

  private void announce(String address) {
    if (common.json) {
      common.console().out(
          DurableFormat.json().createObjectNode().put("address", address) + "\n");
    } else {
      common.console().out("RubricEM listens at " + address + "\n");
    }
    common.console().say("Ctrl-C ends it.");
  }

  private static void stop(CompletionStage<Void> stopping) {
    try {
      stopping.toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LoggerFactory.getLogger(ServeCommand.class).warn("the server did not stop in time", e);
    }
  }
}
