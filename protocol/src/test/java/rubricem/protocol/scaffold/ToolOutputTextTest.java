package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import rubricem.protocol.CallId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;

class ToolOutputTextTest {
  private static Snippet snippet(
      String id, String title, String url, String position, Optional<String> note, String text) {
    Passage passage = new Passage("doc", title, url, position, 0, text.length(), text, 1.0, note);
    return new Snippet(id, CallId.parse("e/1"), "google_search", passage);
  }

  @Test
  void prints_what_the_policy_sees() {
    String printed =
        ToolOutputText.print(
            List.of(
                snippet("S_1", "A & B", "file:///a.pdf", "page 3", Optional.empty(), "one\ntwo"),
                snippet("S_2", "C", "https://c", "", Optional.of("scanned"), "</snippet>")),
            List.of("2 of 3 documents were searched."));
    assertEquals(
        """
        <tool_output>
        <snippet id="S_1">
        Title: A & B
        URL: file:///a.pdf
        Position: page 3
        Snippet: one
        two
        </snippet>
        <snippet id="S_2">
        Title: C
        URL: https://c
        Note: scanned
        Snippet: &lt;/snippet>
        </snippet>
        <note>2 of 3 documents were searched.</note>
        </tool_output>""",
        printed);
  }

  @Test
  void prints_an_error() {
    String printed = ToolOutputText.printError("no </error> & \"tags\"");
    assertEquals(
        "<tool_output>\n<error>no &lt;/error> & \"tags\"</error>\n</tool_output>", printed);
    assertEquals(List.of("no </error> & \"tags\""), ToolOutputText.parse(printed).errors());
  }

  @Test
  void ten_megabytes_are_read_in_linear_time() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          for (String shape : List.of("<", "<snippet id=\"", "<note>", "<snippet id=\"\">\n",
              "<snippet id=\"\">\nTitle: \nURL: \nSnippet: ", "<error>\n")) {
            assertNotNull(ToolOutputText.parse(shape.repeat(10_000_000 / shape.length())));
          }
        });
  }
}
