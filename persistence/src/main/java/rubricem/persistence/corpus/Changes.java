package rubricem.persistence.corpus;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import rubricem.persistence.corpus.CorpusIndex.Known;
import rubricem.persistence.corpus.CorpusScan.Found;

/**
 * What differs between the folders and the index.
 *
 * @param read new and changed files
 * @param gone known files that left; none of a root that is missing as a whole, because a disk
 *     that is not mounted is no deletion
 */
record Changes(List<Found> read, List<String> gone) {
  static Changes between(CorpusScan scan, Map<String, Known> known, List<Path> roots) {
    List<Found> read = new ArrayList<>();
    for (Map.Entry<String, Found> entry : scan.files().entrySet()) {
      Known before = known.get(entry.getKey());
      Found now = entry.getValue();
      if (!new Known(now.size(), now.modified(), DocumentReader.VERSION).equals(before)) {
        read.add(now);
      }
    }
    List<Path> missing = roots.stream().filter(root -> !Files.exists(root)).toList();
    List<String> gone =
        known.keySet().stream()
            .filter(path -> !scan.files().containsKey(path))
            .filter(path -> missing.stream().noneMatch(root -> Path.of(path).startsWith(root)))
            .toList();
    return new Changes(read, gone);
  }

  boolean isEmpty() {
    return read.isEmpty() && gone.isEmpty();
  }
}
