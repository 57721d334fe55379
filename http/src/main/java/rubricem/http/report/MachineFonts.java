package rubricem.http.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.fontbox.ttf.CmapLookup;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;

/**
 * Finds fonts on this machine for characters that the carried fonts lack. It takes TrueType files
 * only, since others cannot be embedded in part, and reads at most a bounded number of them. A
 * machine without fonts is no error.
 */
final class MachineFonts {
  static final List<Path> USUAL_FOLDERS =
      List.of(
          Path.of("/usr/share/fonts"), Path.of("/usr/local/share/fonts"),
          Path.of("/Library/Fonts"), Path.of("/System/Library/Fonts"),
          Path.of("C:/Windows/Fonts"));

  /** A machine has a few hundred fonts; reading more would make one report slow. */
  private static final int FILES_MAX = 300;

  /** Larger files hold whole collections of weights. */
  private static final long BYTES_MAX = 40_000_000;

  /** Each font adds to the file; three cover what one report mixes. */
  private static final int FONTS_MAX = 3;

  /** Parts of names of fonts with wide coverage, best first. */
  private static final List<String> LIKELY =
      List.of("fallback", "cjk", "wqy", "unicode", "noto", "gothic", "malgun", "han", "ming");

  private final List<Path> folders;

  /** @param uncovered characters that no font of the machine has */
  record Choice(List<byte[]> fonts, Set<Integer> uncovered) {}

  MachineFonts(List<Path> folders) {
    this.folders = List.copyOf(folders);
  }

  Choice covering(Set<Integer> wanted) {
    Set<Integer> open = new HashSet<>(wanted);
    List<byte[]> fonts = new ArrayList<>();
    for (Path file : open.isEmpty() ? List.<Path>of() : files()) {
      if (open.isEmpty() || fonts.size() == FONTS_MAX) {
        break;
      }
      try {
        byte[] bytes = Files.readAllBytes(file);
        if (open.removeAll(covered(bytes, open))) {
          fonts.add(bytes);
        }
      } catch (IOException unreadable) {
        continue;
      }
    }
    return new Choice(fonts, open);
  }

  private static Set<Integer> covered(byte[] bytes, Set<Integer> wanted) throws IOException {
    Set<Integer> covered = new HashSet<>();
    try (TrueTypeFont font = new TTFParser().parse(new RandomAccessReadBuffer(bytes))) {
      CmapLookup lookup = font.getUnicodeCmapLookup(false);
      if (lookup != null && font.getTableMap().containsKey("glyf")) {
        wanted.stream().filter(c -> lookup.getGlyphId(c) != 0).forEach(covered::add);
      }
    }
    return covered;
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (Path folder : folders) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> found = Files.walk(folder, 6)) {
          found.filter(MachineFonts::isTrueType).limit(FILES_MAX * 10L).forEach(files::add);
        } catch (IOException | UncheckedIOException unreadable) {
          continue;
        }
      }
    }
    files.sort(Comparator.comparingInt(MachineFonts::rank).thenComparing(Path::toString));
    return files.subList(0, Math.min(FILES_MAX, files.size()));
  }

  private static boolean isTrueType(Path file) {
    try {
      return file.toString().toLowerCase(Locale.ROOT).endsWith(".ttf")
          && Files.isRegularFile(file) && Files.size(file) < BYTES_MAX;
    } catch (IOException unreadable) {
      return false;
    }
  }

  private static int rank(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    int rank = 0;
    while (rank < LIKELY.size() && !name.contains(LIKELY.get(rank))) {
      rank++;
    }
    boolean regular = !name.contains("bold") && !name.contains("italic") && !name.contains("mono");
    return rank * 2 + (regular ? 0 : 1);
  }
}
