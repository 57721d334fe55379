package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import rubricem.persistence.corpus.Block.Shape;

/**
 * Short paragraphs that stand on nearly all web pages of a folder: the frame of a site, whatever
 * its tags are called. Found by reading a few pages of the folder; they become no evidence of any
 * page. Headings are never taken out, because pages of one kind honestly share them.
 */
final class RepeatedText {
  /** Fewer pages than this prove nothing. */
  private static final int PAGES_MIN = 6;

  private static final int SAMPLE = 12;
  private static final double SHARE = 0.75;

  /** A longer paragraph is content even where it is repeated, such as a licence. */
  private static final int WORDS_MAX = 60;

  private final Map<Path, List<Path>> pages = new HashMap<>();
  private final Map<Path, Set<String>> known = new HashMap<>();
  private final DocumentReader reader;
  private final TimedReading timed;
  private final long bytesMax;

  RepeatedText(
      Collection<CorpusScan.Found> files, DocumentReader reader, TimedReading timed,
      long bytesMax) {
    this.reader = reader;
    this.timed = timed;
    this.bytesMax = bytesMax;
    for (CorpusScan.Found file : files) {
      if (isPage(file.path()) && file.size() <= bytesMax && file.closed().isEmpty()) {
        pages.computeIfAbsent(file.path().getParent(), f -> new ArrayList<>()).add(file.path());
      }
    }
  }

  private static boolean isPage(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".html") || name.endsWith(".htm") || name.endsWith(".xhtml");
  }

  /** What to leave out of this file. */
  Set<String> of(Path file) throws InterruptedException {
    Path folder = file.getParent();
    if (!isPage(file) || pages.getOrDefault(folder, List.of()).size() < PAGES_MIN) {
      return Set.of();
    }
    Set<String> repeated = known.get(folder);
    if (repeated == null) {
      repeated = repeated(pages.get(folder));
      known.put(folder, repeated);
    }
    return repeated;
  }

  private Set<String> repeated(List<Path> all) throws InterruptedException {
    Map<String, Integer> seen = new HashMap<>();
    int step = Math.max(1, all.size() / SAMPLE);
    int read = 0;
    for (int i = 0; i < all.size() && read < SAMPLE; i += step) {
      Path page = all.get(i);
      if (timed.run(() -> read(page)) instanceof Reading.Text text) {
        read++;
        candidates(text.blocks()).forEach(block -> seen.merge(block, 1, Integer::sum));
      }
    }
    int needed = Math.max(PAGES_MIN - 1, (int) Math.ceil(read * SHARE));
    Set<String> repeated = new HashSet<>();
    seen.forEach((text, count) -> {
      if (count >= needed) {
        repeated.add(text);
      }
    });
    return Set.copyOf(repeated);
  }

  private Reading read(Path page) throws IOException {
    if (Files.size(page) > bytesMax) {
      return new Reading.Asset();
    }
    return reader.read(Files.readAllBytes(page), page.getFileName().toString(), Set.of());
  }

  private static Set<String> candidates(List<Block> blocks) {
    Set<String> texts = new HashSet<>();
    for (Block block : blocks) {
      if (block.shape() == Shape.PROSE && Words.count(block.text()) <= WORDS_MAX) {
        texts.add(block.text());
      }
    }
    return texts;
  }
}
