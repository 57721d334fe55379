package rubricem.protocol.report;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import rubricem.protocol.evidence.Snippet;

/**
 * The addresses an episode's tools returned, and with them the only ones its report may link to. An
 * address is recognised with or without its last slash and its place inside the document; what is
 * linked is always an address as a tool gave it. Only {@code http}, {@code https} and {@code file}
 * are ever linked.
 */
final class LinkTargets {
  private final Map<String, String> known = new HashMap<>();
  private final Set<String> urls = new LinkedHashSet<>();

  LinkTargets(Collection<Snippet> retrieved) {
    for (Snippet snippet : retrieved) {
      String url = snippet.passage().url();
      if (linkable(url)) {
        urls.add(url);
        known.putIfAbsent(key(url), url);
        int anchor = url.indexOf('#');
        if (anchor > 0) {
          known.putIfAbsent(key(url.substring(0, anchor)), url);
        }
      }
    }
  }

  Set<String> urls() {
    return Set.copyOf(urls);
  }

  Optional<String> find(String written) {
    String bare = written.strip();
    return Optional.ofNullable(known.get(key(bare)))
        .or(() -> Optional.ofNullable(known.get(key(bare.replace("&amp;", "&")))));
  }

  private static String key(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /** Whether an address may be linked at all; one with control characters never. */
  static boolean linkable(String url) {
    String start = url.substring(0, Math.min(8, url.length())).toLowerCase(Locale.ROOT);
    boolean scheme =
        start.startsWith("http://") || start.startsWith("https://") || start.startsWith("file:");
    return scheme && MarkdownText.clean(url).equals(url)
        && url.indexOf('\n') < 0 && url.indexOf('\t') < 0 && url.equals(url.strip());
  }
}
