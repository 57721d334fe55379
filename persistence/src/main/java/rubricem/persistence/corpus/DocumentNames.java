package rubricem.persistence.corpus;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names documents go by: the path relative to the root; with several roots the root's own
 * name comes first, numbered where two are alike. A root inside another adds nothing.
 */
final class DocumentNames {
  private final Map<Path, String> labels = new LinkedHashMap<>();

  /** @param roots canonical */
  DocumentNames(List<Path> roots) {
    List<Path> outer = new ArrayList<>();
    for (Path root : new HashSet<>(roots)) {
      if (roots.stream().noneMatch(o -> !o.equals(root) && root.startsWith(o))) {
        outer.add(root);
      }
    }
    outer.sort((a, b) -> Integer.compare(roots.indexOf(a), roots.indexOf(b)));
    Set<String> taken = new HashSet<>();
    for (Path root : outer) {
      Path last = root.getFileName();
      String own = last == null ? "root" : last.toString();
      String label = own;
      for (int n = 2; !taken.add(label); n++) {
        label = own + "~" + n;
      }
      labels.put(root, outer.size() == 1 ? "" : label);
    }
  }

  String nameOf(String path) {
    Path file = Path.of(path);
    for (Map.Entry<Path, String> root : labels.entrySet()) {
      if (file.startsWith(root.getKey())) {
        return name(root.getKey(), root.getValue(), file);
      }
    }
    return path;
  }

  private static String name(Path root, String label, Path file) {
    if (file.equals(root)) {
      return label.isEmpty() ? String.valueOf(root.getFileName()) : label;
    }
    String relative = root.relativize(file).toString().replace('\\', '/');
    return label.isEmpty() ? relative : label + "/" + relative;
  }

  /** The path a name stands for; empty where the name fits no root. */
  Optional<String> pathOf(String name) {
    for (Map.Entry<Path, String> root : labels.entrySet()) {
      Optional<Path> path = resolve(root.getKey(), root.getValue(), name);
      if (path.isPresent() && nameOf(path.get().toString()).equals(name)) {
        return path.map(Path::toString);
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> resolve(Path root, String label, String name) {
    if (name.equals(name(root, label, root)) && !Files.isDirectory(root)) {
      return Optional.of(root);
    }
    String prefix = label.isEmpty() ? "" : label + "/";
    if (name.indexOf('\0') >= 0 || !name.startsWith(prefix)) {
      return Optional.empty();
    }
    try {
      Path path = root.resolve(name.substring(prefix.length())).normalize();
      return path.startsWith(root) ? Optional.of(path) : Optional.empty();
    } catch (java.nio.file.InvalidPathException e) {
      return Optional.empty();
    }
  }
}
