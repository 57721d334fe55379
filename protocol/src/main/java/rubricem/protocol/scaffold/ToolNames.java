package rubricem.protocol.scaffold;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the tool that a policy meant. A name that exists is taken as written; otherwise case,
 * blanks and dashes are evened out, and last a table of variants seen in training data is asked. A
 * variant counts only where the tool it stands for exists, and never guesses: {@code search} alone
 * is no tool unless one has that name.
 */
final class ToolNames {
  private static final String WEB = "google_search";
  private static final String PAPERS = "snippet_search";
  private static final String PAGE = "browse_webpage";

  private static final Map<String, String> VARIANTS =
      Map.ofEntries(
          Map.entry("google_web_search", WEB),
          Map.entry("web_search", WEB),
          Map.entry("google", WEB),
          Map.entry("googlesearch", WEB),
          Map.entry("serper_google_webpage_search", WEB),
          Map.entry("scholar_search", PAPERS),
          Map.entry("google_scholar_search", PAPERS),
          Map.entry("google_scholar", PAPERS),
          Map.entry("semantic_scholar", PAPERS),
          Map.entry("semantic_scholar_search", PAPERS),
          Map.entry("semantic_scholar_snippet_search", PAPERS),
          Map.entry("snippets_search", PAPERS),
          Map.entry("snippetsearch", PAPERS),
          Map.entry("paper_search", PAPERS),
          Map.entry("browse", PAGE),
          Map.entry("browse_web_page", PAGE),
          Map.entry("open_webpage", PAGE));

  private ToolNames() {}

  static Optional<String> meant(String written, Set<String> tools) {
    if (tools.contains(written)) {
      return Optional.of(written);
    }
    String even = even(written);
    Optional<String> same = tools.stream().filter(t -> even(t).equals(even)).sorted().findFirst();
    return same.or(() -> Optional.ofNullable(VARIANTS.get(even)).filter(tools::contains));
  }

  private static String even(String name) {
    return ScaffoldTag.lowerCase(name.strip()).replace('-', '_').replace(' ', '_');
  }
}
