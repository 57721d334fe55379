package rubricem.protocol.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rubricem.protocol.evidence.Snippet;

/**
 * Binds an answer to what its episode retrieved: a cite stays only for snippets that exist, a link
 * only for addresses that a tool returned. Everything else loses its reference, keeps its words and
 * is counted. The result is safe Markdown: no raw HTML, no image, no link of the policy's own
 * invention, nothing that could be taken for one of our numbers. It does not judge whether a
 * passage supports its claim; {@link ClaimSupport} does.
 */
public final class CitationBinding {
  private CitationBinding() {}

  /** @param retrieved every snippet of the episode, cited or not */
  public static BoundAnswer bind(String answer, Collection<Snippet> retrieved) {
    ParsedAnswer parsed = AnswerCites.parse(BoxedAnswer.unbox(MarkdownText.clean(answer)));
    Map<String, Snippet> byId = new HashMap<>();
    for (Snippet snippet : retrieved) {
      byId.putIfAbsent(snippet.id(), snippet);
      byId.putIfAbsent(snippet.id().toLowerCase(Locale.ROOT), snippet);
    }
    Binding binding = new Binding(byId);
    parsed.segments().forEach(binding::add);
    LinkTargets targets = new LinkTargets(retrieved);
    SafeMarkdown safe = SafeMarkdown.of(binding.text.toString(), targets);
    List<Integer> order = ClaimMarks.in(safe.text());
    Map<Integer, Integer> places = new HashMap<>();
    List<BoundClaim> claims = new ArrayList<>();
    for (int claim : order) {
      BoundClaim bound = binding.claims.get(claim);
      places.put(claim, claims.size());
      claims.add(new BoundClaim(claims.size(), bound.text(), bound.snippets()));
    }
    return new BoundAnswer(
        ClaimMarks.replace(safe.text(), claim -> ClaimMarks.of(places.get(claim))),
        List.copyOf(claims), targets.urls(), binding.unknown, parsed.emptyCites(),
        safe.removedLinks(), safe.removedSections());
  }

  private static final class Binding {
    private final Map<String, Snippet> byId;
    private final StringBuilder text = new StringBuilder();
    private final List<BoundClaim> claims = new ArrayList<>();
    private int unknown;

    Binding(Map<String, Snippet> byId) {
      this.byId = byId;
    }

    void add(AnswerSegment segment) {
      switch (segment) {
        case AnswerSegment.Plain plain -> text.append(plain.text());
        case AnswerSegment.Cited cited -> {
          Set<Snippet> snippets = new LinkedHashSet<>();
          for (String id : cited.ids()) {
            Snippet snippet = find(id);
            if (snippet == null) {
              unknown++;
            } else {
              snippets.add(snippet);
            }
          }
          String words = ClaimText.plain(cited.claim());
          if (snippets.isEmpty() || words.isEmpty()) {
            text.append(cited.claim());
          } else {
            marked(cited.claim(), ClaimMarks.of(claims.size()));
            claims.add(new BoundClaim(claims.size(), words, List.copyOf(snippets)));
          }
        }
      }
    }

    private @Nullable Snippet find(String id) {
      Snippet exact = byId.get(id);
      return exact != null ? exact : byId.get(id.toLowerCase(Locale.ROOT));
    }

    /** Puts the mark where it belongs to the claim and breaks no table row, fence or rule. */
    private void marked(String claim, String mark) {
      String trimmed = claim.stripTrailing();
      String after = claim.substring(trimmed.length());
      String last = trimmed.substring(trimmed.lastIndexOf('\n') + 1).strip();
      if (last.startsWith("```") || last.startsWith("~~~") || ClaimText.isRule(last)) {
        text.append(trimmed).append("\n\n").append(mark).append(after);
      } else if (last.endsWith("|") && last.length() > 1 && !last.endsWith("\\|")) {
        text.append(trimmed, 0, trimmed.length() - 1).append(mark).append('|').append(after);
      } else {
        text.append(trimmed).append(mark).append(after);
      }
    }
  }
}
