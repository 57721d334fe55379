package rubricem.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the project was handed lies beside its checkout, in {@code ../shared}, read-only. A test
 * that needs it fails without it: numbers that were not compared must not look like equal ones.
 */
public final class Shared {
  private static final Path FOLDER = Path.of("..", "shared").toAbsolutePath().normalize();
  private static final ObjectMapper JSON = new ObjectMapper();

  private Shared() {}

  /** A file or folder of {@code shared/golden}. */
  public static Path golden(String name) {
    Path path = FOLDER.resolve("golden").resolve(name);
    if (!Files.exists(path)) {
      throw new AssertionError(
          path + " is not there. Tests compare with the handed reference numbers: put the folder"
              + " `shared` beside the checkout.");
    }
    return path;
  }

  /** A JSON file of {@code shared/golden}. */
  public static JsonNode goldenJson(String name) {
    try {
      return JSON.readTree(golden(name).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static double[] doubles(JsonNode array) {
    double[] values = new double[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).asDouble();
    }
    return values;
  }

  public static int[] ints(JsonNode array) {
    int[] values = new int[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).asInt();
    }
    return values;
  }
}
