package rubricem.app.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import rubricem.protocol.run.RunLayout;

/**
 * Where a command writes, apart from what it only reads. Results in a model's folder would make it
 * another model, and a place around it would take the model for a part of the results. Links are
 * followed, of the part of the place that is there already.
 */
final class OutputPlace {
  private OutputPlace() {}

  /**
   * Refuses a place that is the folder read, or lies in it or around it.
   *
   * @param option that names the place
   * @param reading the option that names the folder; one that is not there is for others to say
   */
  static void refuseOver(String option, Path place, String reading, Path folder)
      throws IOException {
    Path at = real(place);
    refuseAmongCheckpoints(option, place, at);
    if (!Files.exists(folder)) {
      return;
    }
    Path read = folder.toRealPath();
    String relation =
        at.equals(read)
            ? " is the folder of "
            : at.startsWith(read) ? " is in the folder of " : " holds the folder of ";
    if (at.startsWith(read) || read.startsWith(at)) {
      throw Failure.usage(
          option + " " + place + relation + reading + ", which is only read: name a folder"
              + " outside it.");
    }
  }

  /** A run clears its checkpoints away by their names, whatever is in them. */
  private static void refuseAmongCheckpoints(String option, Path place, Path at) {
    for (Path p = at; p != null && p.getFileName() != null; p = p.getParent()) {
      boolean checkpoints = p.getFileName().toString().equals(RunLayout.CHECKPOINTS);
      if (checkpoints && Files.exists(p.resolveSibling(RunLayout.CONFIG))) {
        throw Failure.usage(
            option + " " + place + " is among the checkpoints of the run " + p.getParent()
                + ", which clears them away itself: name a folder outside it.");
      }
    }
  }

  private static Path real(Path place) throws IOException {
    Path at = place.toAbsolutePath().normalize();
    Path there = at;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    return there == null ? at : there.toRealPath().resolve(there.relativize(at));
  }
}
