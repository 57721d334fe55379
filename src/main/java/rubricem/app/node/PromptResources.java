package rubricem.app.node;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import rubricem.actors.episode.EpisodePorts.Prompt;
import rubricem.actors.episode.EpisodePorts.Prompts;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.port.Tool;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * The prompts as versioned resources. A text that changes gets a new version in its name; the hash
 * that is stored with each turn is of the text as shown, tools included.
 */
public final class PromptResources implements Prompts {
  private static final String AGENT = "agent-v1";
  private static final String FORMAT_VERSION = "v1";

  private final String agent = read(AGENT);
  private final Map<String, Prompt> shown = new ConcurrentHashMap<>();

  @Override
  public Prompt system(List<Tool> tools) {
    return system(
        tools.stream()
            .map(t -> described(t.name(), t.description()))
            .collect(Collectors.joining("\n")));
  }

  static String described(String tool, String description) {
    return "- `" + tool + "` " + description;
  }

  Prompt system(String described) {
    // asked for at every turn, and the same for every episode with the same tools
    return shown.computeIfAbsent(
        AGENT + "\n" + described,
        key -> prompt(AGENT, agent.replace("{{tools}}", described)));
  }

  @Override
  public Prompt format(FormatLabel format) {
    String name = "format-" + format.label() + "-" + FORMAT_VERSION;
    return shown.computeIfAbsent(name, key -> prompt(name, read(name)));
  }

  private static Prompt prompt(String name, String text) {
    return new Prompt(new PromptRef(name, sha256(text)), text);
  }

  private static String read(String name) {
    String path = "/prompts/" + name + ".md";
    try (InputStream in = PromptResources.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its prompt " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("the program's prompt cannot be read: " + path, e);
    }
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
