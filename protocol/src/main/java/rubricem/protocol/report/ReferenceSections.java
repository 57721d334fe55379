package rubricem.protocol.report;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the reference list a policy wrote at the end of its answer. Ours stands in its place, so it
 * goes; one that holds a claim with a citation of ours, or running text, is a section like any
 * other and stays.
 */
final class ReferenceSections {
  private static final Set<String> NAMES =
      Set.of(
          "references", "reference list", "sources", "bibliography", "works cited", "citations",
          "sources cited", "literature", "further reading", "literatur", "literaturverzeichnis",
          "quellen", "quellenverzeichnis", "referenzen", "références", "sources citées",
          "bibliographie", "referencias", "fuentes", "bibliografía", "referências", "fontes",
          "bibliografia", "riferimenti", "fonti", "referenties", "bronnen", "bronvermelding",
          "źródła", "источники", "список литературы", "литература", "ссылки",
          "kaynaklar", "kaynakça", "المراجع", "المصادر", "מקורות", "ביבליוגרפיה", "参考文献",
          "参考资料", "资料来源", "来源", "引用文献", "出典", "参考資料", "참고 문헌", "참고문헌", "출처");

  private ReferenceSections() {}

  /** The first line of the policy's own list, or -1. */
  static int startOfOwn(List<String> lines) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      String line = lines.get(i);
      if (isTitle(line)) {
        return i;
      }
      if (!line.isBlank() && !isEntry(line)) {
        return -1;
      }
    }
    return -1;
  }

  private static boolean isTitle(String line) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (Character.isLetter(c) || c == ' ' || Character.getType(c) == Character.NON_SPACING_MARK) {
        name.append(c);
      } else if (c == ClaimMarks.OPEN) {
        return false;
      }
    }
    return NAMES.contains(name.toString().strip().toLowerCase(Locale.ROOT));
  }

  private static boolean isEntry(String line) {
    String bare = line.strip();
    char first = bare.charAt(0);
    boolean listed = "-*+[•(【".indexOf(first) >= 0 || Character.isDigit(first);
    boolean heading = first == '#';
    boolean address = bare.contains("://") || bare.startsWith("www.");
    return !heading && bare.indexOf(ClaimMarks.OPEN) < 0 && (listed || address);
  }
}
