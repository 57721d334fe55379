package rubricem.app.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Goes once through the main job on documents of its own, so that the build can keep what a start
 * needs. Not for users.
 */
@Command(name = "warm-up", hidden = true, description = "Used by the build.")
final class WarmUpCommand implements Callable<Integer> {
  private static final String DOCUMENT =
      """
      # Lighthouse keeping

      ## Lamp
      The lamp is lit at sunset and put out at sunrise. Its wick is trimmed every four hours.

      ## Fog
      In fog the keeper sounds the horn twice a minute until the other headland can be seen again.
      """;

  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("rubricem-warm-up");
    try {
      Path documents = Files.createDirectory(folder.resolve("documents"));
      Files.writeString(documents.resolve("lighthouse.md"), DOCUMENT);
      String data = folder.resolve("data").toString();
      int code = Rubricem.run(new String[] {
          "ask", "How often is the wick of the lamp trimmed?", "--corpus", documents.toString(),
          "--data-dir", data});
      Rubricem.run(new String[] {"episodes", "--data-dir", data});
      return code;
    } finally {
      TemporaryFolder.delete(folder);
    }
  }
}
