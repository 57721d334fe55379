package rubricem.gpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The handed reference numbers, which lie beside the checkout and are only read. */
public final class Golden {
  private Golden() {}

  public static Path file(String name) {
    Path file = Path.of("..", "shared", "golden").resolve(name);
    if (!Files.exists(file)) {
      throw new AssertionError(
          file.toAbsolutePath().normalize() + " is not there: the handed folder `shared` has to"
              + " lie beside the checkout, and tests have to run in the checkout's root");
    }
    return file;
  }

  public static JsonNode json(String name) {
    try {
      return new ObjectMapper().readTree(Files.readAllBytes(file(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
