package rubricem.protocol.scaffold;

import java.util.List;
import java.util.Optional;
import rubricem.protocol.evidence.Snippet;

public final class ToolOutputText {
  private ToolOutputText() {}

  /** One snippet as it stood in a tool's output, un-escaped. */
  public record ReadSnippet(
      String id,
      String title,
      String url,
      String position,
      Optional<String> note,
      String text) {}

  /** A tool's output, read back. */
  public record ReadToolOutput(
      List<ReadSnippet> snippets, List<String> notes, List<String> errors) {}

  public static String print(List<Snippet> snippets, List<String> notes) {
    throw new UnsupportedOperationException("not written yet");
  }

  public static String printError(String error) {
    throw new UnsupportedOperationException("not written yet");
  }

  public static ReadToolOutput parse(String text) {
    throw new UnsupportedOperationException("not written yet");
  }
}
