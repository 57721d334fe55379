package rubricem.app.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Hugging Face's learner as a process, measured by the script that is handed with the benchmarks.
 * Its two settings of the allocator take turns, because which one is faster depends on the machine.
 */
public final class PeerLearner {
  private static final List<String> ALLOCATORS = List.of("keep", "default");

  private final Path python;
  private final Path scripts;

  /**
   * @param python an interpreter that has PyTorch, transformers and TRL
   * @param scripts the folder of the scripts
   */
  public PeerLearner(Path python, Path scripts) {
    this.python = python;
    this.scripts = scripts;
  }

  double trainTokensPerSecond(String shape, int round) throws IOException {
    return figure("train", round, "hf_learner.py", "--shape", shape, "--only", "train");
  }

  double generateTokensPerSecond(String shape, int round) throws IOException {
    return figure("generate", round, "hf_learner.py", "--shape", shape, "--only", "generate");
  }

  double stepTokensPerSecond(String shape, int round) throws IOException {
    return figure("step", round, "trl_grpo.py", "--shape", shape, "--seconds", "20");
  }

  private double figure(String name, int round, String script, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(python.toString());
    command.add(scripts.resolve(script).toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("--allocator", ALLOCATORS.get(round % ALLOCATORS.size())));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    // ours keeps its threads few; the script sets what it needs for itself
    builder.environment().keySet()
        .removeIf(n -> n.startsWith("OMP_") || n.startsWith("MALLOC_") || n.equals("GLIBC_TUNABLES"));
    Process process = builder.start();
    double found = Double.NaN;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode figure = new ObjectMapper().readTree(line);
        if (figure.path("figure").asText().equals(name)) {
          found = figure.path("tokens_per_s").asDouble();
        }
      }
      if (process.waitFor() != 0 || Double.isNaN(found)) {
        throw new IOException(
            "The peer gave no figure. Run it by itself to see why: " + String.join(" ",
                builder.command()));
      }
      return found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the peer ran", e);
    } finally {
      process.destroy();
    }
  }
}
