package rubricem.http.server;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.ProductVersion;
import org.apache.pekko.http.javadsl.model.headers.Server;
import org.apache.pekko.http.javadsl.settings.ServerSettings;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.BidiFlow;
import org.apache.pekko.stream.javadsl.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The listening server over a number of front doors. It ends gently: it takes no new work, tells
 * every reader of events, lets the requests it has go on for a while, and closes what is left; the
 * episodes are none of its business.
 */
public final class EdgeServer {
  /** A long line of an address or a cookie; ours have a few hundred. */
  private static final int HEADER_CHARS_MAX = 8_192;

  private static final int HEADERS_MAX = 64;
  private static final int URI_CHARS_MAX = 4_096;

  /** Connections the system keeps while we are busy: a thousand clients may come at once. */
  private static final int BACKLOG = 1_024;

  /** What a stream's end needs to reach the network. */
  private static final long LAST_WORDS_MILLIS = 250;

  private final ServerBinding binding;
  private final RouteTable routes;
  private final Edge edge;
  private @Nullable CompletionStage<Void> stopped;

  private EdgeServer(ServerBinding binding, RouteTable routes, Edge edge) {
    this.binding = binding;
    this.routes = routes;
    this.edge = edge;
  }

  /** Fails with {@link AddressUnusable} where the address is taken or is none of this machine. */
  public static CompletionStage<EdgeServer> start(
      ActorSystem<?> system, Edge edge, List<FrontDoor> doors) {
    EdgeSettings settings = edge.settings();
    Materializer materializer = SystemMaterializer.get(system).materializer();
    RouteTable routes =
        new RouteTable(
            doors,
            new HostCheck(settings.host(), settings.hosts(), settings.origins()),
            new BodyReader(materializer, settings.bodyBytesMax(), settings.bodyPatience()),
            edge.readiness()::trouble,
            (method, template, status, took) -> observe(edge, method, template, status, took));
    return Http.get(system)
        .newServerAt(settings.host(), settings.port())
        .withSettings(server(system, settings))
        .bindFlow(gate(edge, routes).join(Flow.of(HttpRequest.class).mapAsync(1, routes::handle)))
        .exceptionally(
            failure -> {
              throw new AddressUnusable(settings.host(), settings.port(), failure);
            })
        .thenApply(binding -> new EdgeServer(binding, routes, edge));
  }

  private static BidiFlow<HttpRequest, HttpRequest, HttpResponse, HttpResponse, NotUsed> gate(
      Edge edge, RouteTable routes) {
    EdgeSettings.Connections settings = edge.settings().connections();
    return BidiFlow.fromGraph(
        new ConnectionGate(
            settings,
            new ConnectionSlots(
                settings.max(), settings.streamsMax(), edge.metrics(), edge.ports().clock()),
            routes::refusal));
  }

  private static ServerSettings server(ActorSystem<?> system, EdgeSettings settings) {
    ServerSettings base = ServerSettings.create(system.classicSystem());
    return base
        .withServerHeader(Optional.of(Server.create(ProductVersion.create("rubricem", ""))))
        // twice the reserve: one that makes room takes a moment to be gone
        .withMaxConnections(settings.connections().max() + 2 * ConnectionSlots.RESERVE)
        .withBacklog(BACKLOG)
        .withParsingErrorHandler(ProblemParsing.class.getName())
        // each endpoint has a patience of its own
        .withTimeouts(
            base.getTimeouts().withRequestTimeout(scala.concurrent.duration.Duration.Inf()))
        .withParserSettings(
            base.getParserSettings()
                .withCustomMediaTypes(BodyReader.JSON)
                .withMaxContentLength(settings.bodyBytesMax())
                .withMaxUriLength(URI_CHARS_MAX)
                .withMaxHeaderCount(HEADERS_MAX)
                .withMaxHeaderValueLength(HEADER_CHARS_MAX)
                .withIllegalHeaderWarnings(false));
  }

  private static void observe(
      Edge edge, String method, String template, int status, Duration took) {
    edge.metrics().add(
        "rubricem_http_requests_total", "Requests answered, by route and status.", 1,
        "method", known(method), "route", template, "status", "" + status);
    edge.metrics().observe(
        "rubricem_http_request_seconds", "Time until an answer began, by route.", took,
        "route", template);
  }

  private static String known(String method) {
    return List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS").contains(method)
        ? method
        : "other";
  }

  public InetSocketAddress address() {
    return binding.localAddress();
  }

  public List<Endpoint> endpoints() {
    return routes.endpoints();
  }

  /** Completes when nothing is open any more; within the patience of the settings. */
  public synchronized CompletionStage<Void> stop() {
    if (stopped == null) {
      edge.readiness().stop("It is stopping. Ask again in a moment.");
      Duration patience = edge.settings().stopPatience();
      stopped =
          binding.unbind()
              .thenCompose(
                  done ->
                      edge.readers().stop().toCompletableFuture().copy()
                          .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS))
              // what they were told last is on its way still
              .thenRunAsync(
                  () -> {},
                  CompletableFuture.delayedExecutor(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS))
              .thenCompose(gone -> binding.terminate(patience))
              .thenApply(terminated -> null);
    }
    return stopped;
  }
}
