package rubricem.app.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import rubricem.actors.policy.ScriptedPolicy.Line;

/** Reads the turns of a scripted policy: JSON Lines, one turn or failure a line. */
final class ScriptFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ScriptFile() {}

  /** @throws IllegalArgumentException naming file and line where it cannot be read */
  static List<Line> read(Path file) {
    List<Line> lines = new ArrayList<>();
    try {
      List<String> texts = Files.readAllLines(file, StandardCharsets.UTF_8);
      for (int i = 0; i < texts.size(); i++) {
        if (!texts.get(i).isBlank()) {
          lines.add(line(texts.get(i), file + ", line " + (i + 1)));
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("The script " + file + " cannot be read.", e);
    }
    return List.copyOf(lines);
  }

  private static Line line(String text, String where) {
    try {
      JsonNode node = JSON.readTree(text);
      Duration delay = Duration.ofMillis(node.path("delay_ms").asLong(0));
      Optional<Pattern> match =
          node.hasNonNull("match")
              ? Optional.of(Pattern.compile(node.get("match").asText()))
              : Optional.empty();
      if (node.hasNonNull("error")) {
        return new Line.Fail(node.get("error").asText(), delay, match);
      }
      if (!node.hasNonNull("text")) {
        throw new IllegalArgumentException(
            "The script has neither \"text\" nor \"error\" in " + where + ".");
      }
      return new Line.Play(node.get("text").asText(), delay, match);
    } catch (JsonProcessingException | PatternSyntaxException e) {
      throw new IllegalArgumentException("The script is not JSON Lines in " + where + ".", e);
    }
  }
}
