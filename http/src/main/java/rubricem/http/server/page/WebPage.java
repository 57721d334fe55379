package rubricem.http.server.page;

import static org.apache.pekko.http.javadsl.model.HttpMethods.GET;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpCharsets;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.Endpoint;
import rubricem.http.server.Exchange;
import rubricem.http.server.FrontDoor;
import rubricem.http.server.Problem;
import rubricem.http.server.research.EpisodeLookup;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeIndex;
import rubricem.protocol.episode.EpisodeLimits;

/**
 * The web page: the files under {@code /web} of the program at {@code /}. Links into the page
 * ({@code /research/…}) give the page itself, which knows what to show, with 404 where they lead to
 * nothing. Files are checked against
 * what the browser has by their content, so that an update is seen at once. One file is written
 * here: {@code offer.json}, what the page's form may ask for.
 */
public final class WebPage implements FrontDoor {
  private static final String FOLDER = "/web/";
  private static final String SHELL = "index.html";
  private static final String OFFER = "offer.json";
  private static final Pattern NAME = Pattern.compile("([A-Za-z0-9_-][A-Za-z0-9._-]*/)*"
      + "[A-Za-z0-9_-][A-Za-z0-9._-]*\\.[A-Za-z0-9]+");

  /** The views that the page has (js/main.js): an episode, a passage of it, the history. */
  private static final Pattern VIEW =
      Pattern.compile("history/?|(?!history/?$)(?<id>[^/]+)(?:/source/(?<source>[^/]+))?/?");

  /** Nothing from any other host, nothing inside another page. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " font-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self';"
          + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  private static final Map<String, ContentType> TYPES =
      Map.of(
          "html", ContentTypes.TEXT_HTML_UTF8,
          "css", MediaTypes.TEXT_CSS.toContentType(HttpCharsets.UTF_8),
          "js", ContentTypes.parse("text/javascript; charset=utf-8"),
          "json", ContentTypes.APPLICATION_JSON,
          "svg", MediaTypes.IMAGE_SVG_XML.toContentType(),
          "png", MediaTypes.IMAGE_PNG.toContentType(),
          "ico", MediaTypes.IMAGE_X_ICON.toContentType(),
          "txt", ContentTypes.TEXT_PLAIN_UTF8,
          "woff2", MediaTypes.FONT_WOFF_2.toContentType(),
          "webmanifest", ContentTypes.parse("application/manifest+json"));

  private record StoredFile(byte[] bytes, String tag, ContentType type) {}

  /** Folders of documents stay unnamed: where they lie is nobody's business. */
  private record Offered(
      List<String> policies, List<String> sources, EpisodeLimits limits, EpisodeLimits limitsMax,
      int questionCharsMax) {
    static Offered of(EdgeSettings.Offer offer) {
      return new Offered(
          offer.policies(), offer.sources().stream().sorted().toList(), offer.limits(),
          offer.limitsMax(), offer.questionCharsMax());
    }
  }

  private final Edge edge;

  /** Only files that exist are kept, and those are part of the program. */
  private final Map<String, StoredFile> files = new ConcurrentHashMap<>();

  public WebPage(Edge edge) {
    this.edge = edge;
    try {
      byte[] offer = edge.ports().json().writeValueAsBytes(Offered.of(edge.offer()));
      files.put(OFFER, new StoredFile(offer, tag(offer), ContentTypes.APPLICATION_JSON));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what is offered cannot be written as JSON", e);
    }
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.of(GET, "/", e -> file(e, SHELL))
            .readingHeaders("If-None-Match").answering(200, 304),
        Endpoint.of(GET, "/research/{view*}", this::view)
            .readingHeaders("If-None-Match").answering(200, 304, 404),
        Endpoint.of(GET, "/{file*}", this::file)
            .readingHeaders("If-None-Match").answering(200, 304, 404));
  }

  /** The page says itself that it knows no such view; the status says it to everybody else. */
  private CompletionStage<HttpResponse> view(Exchange exchange) {
    Matcher view = VIEW.matcher(exchange.path("view"));
    if (!view.matches()) {
      return CompletableFuture.completedStage(lost());
    }
    return view.group("id") == null
        ? file(exchange, SHELL)
        : isThere(view.group("id"), Optional.ofNullable(view.group("source")))
            .thenCompose(
                there ->
                    there
                        ? file(exchange, SHELL)
                        : CompletableFuture.completedStage(lost()));
  }

  private CompletionStage<Boolean> isThere(String text, Optional<String> source) {
    EpisodeId id;
    try {
      id = EpisodeLookup.id(text);
    } catch (Problem.Refusal e) {
      return CompletableFuture.completedStage(false);
    }
    EpisodeIndex index = edge.ports().index();
    return source.isPresent()
        ? index.snippet(id, source.get()).thenApply(Optional::isPresent)
        : index.stored(id).thenApply(Optional::isPresent);
  }

  /** A person who came by a wrong address gets the page, a program the problem. */
  private CompletionStage<HttpResponse> file(Exchange exchange) {
    String name = exchange.path("file");
    if (find(name).isPresent()) {
      return file(exchange, name);
    }
    boolean isPage =
        !name.startsWith("v1/") && !NAME.matcher(name).matches()
            && exchange.prefers("text/html", "application/problem+json");
    if (isPage) {
      return CompletableFuture.completedStage(lost());
    }
    throw Problem.of(
            Problem.Kind.NO_SUCH_PATH, "The paths of this server are listed at /openapi.json.")
        .refusal();
  }

  private CompletionStage<HttpResponse> file(Exchange exchange, String name) {
    StoredFile file =
        find(name)
            .orElseThrow(() -> new IllegalStateException("the program lacks the page's " + name));
    boolean known =
        exchange.header("If-None-Match").filter(t -> t.contains(file.tag())).isPresent();
    HttpResponse response =
        known
            ? HttpResponse.create().withStatus(304)
            : Answers.bytes(200, file.type(), file.bytes());
    return CompletableFuture.completedStage(
        Answers.with(
            response,
            Map.of(
                "ETag", file.tag(), "Cache-Control", "no-cache",
                "Content-Security-Policy", POLICY)));
  }

  /** Without a tag: nobody keeps what is not there. */
  private HttpResponse lost() {
    StoredFile shell =
        find(SHELL).orElseThrow(() -> new IllegalStateException("the program lacks the page"));
    return Answers.with(
        Answers.bytes(404, shell.type(), shell.bytes()),
        Map.of("Content-Security-Policy", POLICY));
  }

  private Optional<StoredFile> find(String name) {
    StoredFile known = files.get(name);
    if (known != null || !NAME.matcher(name).matches()) {
      return Optional.ofNullable(known);
    }
    ContentType type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    try (InputStream in = WebPage.class.getResourceAsStream(FOLDER + name)) {
      if (in == null || type == null) {
        return Optional.empty();
      }
      byte[] bytes = in.readAllBytes();
      files.put(name, new StoredFile(bytes, tag(bytes), type));
      return Optional.of(files.get(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tag(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "\"" + HexFormat.of().formatHex(hash, 0, 12) + "\"";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
