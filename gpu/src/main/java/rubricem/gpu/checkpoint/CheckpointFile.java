package rubricem.gpu.checkpoint;

/**
 * A file of a checkpoint as its manifest names it.
 *
 * @param path within the checkpoint, parted by slashes
 * @param sha256 in hexadecimal
 */
public record CheckpointFile(String path, long bytes, String sha256) {
  public CheckpointFile {
    boolean inside =
        !path.isEmpty() && !path.startsWith("/") && !path.contains("\\") && !path.contains(":");
    for (String part : path.split("/", -1)) {
      inside &= !part.isEmpty() && !part.equals(".") && !part.equals("..");
    }
    if (!inside || bytes < 0 || !sha256.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException("no file of a checkpoint: " + path);
    }
  }
}
