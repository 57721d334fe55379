package rubricem.http.server;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * Keeps web pages from elsewhere out. A browser that was led here by a name that only points here
 * (DNS rebinding) says that name in {@code Host}; a page of another site says its site in {@code
 * Origin}. Names are taken from what the server is bound to and from the configuration. Bound to
 * every address, any address in digits is taken too: nobody can point those elsewhere.
 */
final class HostCheck {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "[::]");

  private static final String EXPOSED =
      "Location, Retry-After, X-Rubricem-Unused, X-Rubricem-Episode, Mcp-Session-Id,"
          + " Content-Disposition";
  private static final String WANTED =
      "Content-Type, Idempotency-Key, Last-Event-ID, Authorization";

  /** Names of headers as a browser lists them: nothing that could end the line. */
  private static final Pattern NAMES =
      Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+(?:, ?[A-Za-z0-9!#$%&'*+.^_`|~-]+)*");

  /** Some thirty names; no SDK sends half of it. */
  private static final int WANTED_CHARS_MAX = 1_024;

  /** Browsers ask again after it; a changed configuration is felt within minutes. */
  private static final String PREFLIGHT_SECONDS = "600";

  private final Set<String> hosts = new HashSet<>(LOOPBACK);
  private final Set<String> origins;
  private final boolean anyAddress;

  HostCheck(String bound, List<String> hosts, List<String> origins) {
    this.anyAddress = EVERY_ADDRESS.contains(bound);
    boolean bare = bound.contains(":") && !bound.startsWith("[");
    this.hosts.add(lower(bare ? "[" + bound + "]" : bound));
    hosts.forEach(host -> this.hosts.add(lower(host)));
    this.origins = new HashSet<>(origins.stream().map(HostCheck::lower).toList());
  }

  Optional<Problem> problem(HttpRequest request) {
    String authority = request.getHeader("Host").map(HttpHeader::value).orElse("");
    if (!allowed(name(authority))) {
      return Optional.of(
          Problem.of(
              Problem.Kind.FOREIGN_HOST,
              "Call it by the address it is bound to, or add the name to"
                  + " rubricem.server.hosts in the configuration."));
    }
    Optional<String> origin = request.getHeader("Origin").map(HttpHeader::value);
    if (origin.isPresent() && !same(lower(origin.get()), lower(authority))) {
      return Optional.of(
          Problem.of(
              Problem.Kind.FOREIGN_ORIGIN,
              "Add the origin to rubricem.server.origins in the configuration if its pages shall"
                  + " drive this server."));
    }
    return Optional.empty();
  }

  /**
   * What lets the pages of a configured origin call and read the answer. Who may drive this server
   * may send any header it understands: SDKs bring a dozen of their own.
   */
  Map<String, String> sharing(HttpRequest request) {
    return request.getHeader("Origin").map(HttpHeader::value)
        .filter(origin -> origins.contains(lower(origin)))
        .map(
            origin ->
                Map.of(
                    "Access-Control-Allow-Origin", origin, "Vary", "Origin, Accept",
                    "Access-Control-Expose-Headers", EXPOSED,
                    "Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE",
                    "Access-Control-Allow-Headers", wanted(request),
                    "Access-Control-Max-Age", PREFLIGHT_SECONDS))
        .orElse(Map.of());
  }

  private static String wanted(HttpRequest request) {
    return request.getHeader("Access-Control-Request-Headers").map(HttpHeader::value)
        .filter(names -> names.length() <= WANTED_CHARS_MAX && NAMES.matcher(names).matches())
        .orElse(WANTED);
  }

  private boolean allowed(String name) {
    return hosts.contains(name) || anyAddress && isAddress(name);
  }

  private boolean same(String origin, String authority) {
    return origins.contains(origin)
        || origin.equals("http://" + authority)
        || origin.equals("https://" + authority);
  }

  private static boolean isAddress(String name) {
    return name.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || name.matches("\\[[0-9a-f:.]+]");
  }

  /** The name in {@code name:port}; a trailing dot names the same host. */
  private static String name(String authority) {
    String name = lower(authority).replaceFirst(":[0-9]*$", "");
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  private static String lower(String text) {
    return text.strip().toLowerCase(Locale.ROOT);
  }
}
