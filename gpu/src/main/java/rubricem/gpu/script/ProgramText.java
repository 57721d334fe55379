package rubricem.gpu.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * TorchScript text with gaps, as it lies among the resources. {@code $NAME} stands for a value; a
 * line that ends in {@code #tag tag} is there only where all its tags hold; a line that is nothing
 * but one {@code $NAME} stands for any number of lines. A gap that nobody fills is an error.
 */
public final class ProgramText {
  private static final Pattern GAP = Pattern.compile("\\$([A-Z][A-Z_0-9]*)");
  private static final Pattern TAGS = Pattern.compile("\\s+#([a-z]+(?: [a-z]+)*)$");

  private ProgramText() {}

  /** Reads a resource of the folder {@code torchscript}. */
  public static String resource(String name) {
    try (InputStream in =
        ProgramText.class.getResourceAsStream("/torchscript/" + name + ".torchscript")) {
      if (in == null) {
        throw new IllegalStateException("there is no program text " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Fills the gaps.
   *
   * @param lines what stands for whole lines, by name
   */
  public static String fill(
      String text, Set<String> tags, Map<String, ?> values, Map<String, List<String>> lines) {
    StringBuilder out = new StringBuilder();
    for (String line : text.split("\n", -1)) {
      String bare = line.strip();
      if (bare.isEmpty() || bare.startsWith("#")) {
        continue;
      }
      Matcher tagged = TAGS.matcher(line);
      if (tagged.find()) {
        if (!tags.containsAll(List.of(tagged.group(1).split(" ")))) {
          continue;
        }
        line = line.substring(0, tagged.start());
      }
      String indent = line.substring(0, line.indexOf(bare.charAt(0)));
      Matcher whole = GAP.matcher(bare);
      if (whole.matches() && lines.containsKey(whole.group(1))) {
        for (String inserted : lines.get(whole.group(1))) {
          out.append(indent).append(inserted).append('\n');
        }
      } else {
        out.append(line).append('\n');
      }
    }
    return values(out.toString(), values);
  }

  private static String values(String text, Map<String, ?> values) {
    return GAP.matcher(text)
        .replaceAll(
            gap -> {
              Object value = values.get(gap.group(1));
              if (value == null) {
                throw new IllegalArgumentException("nothing fills the gap " + gap.group());
              }
              return Matcher.quoteReplacement(value.toString());
            });
  }
}
