package rubricem.actors.extractive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.eval.retrieval.QuestionRun;
import rubricem.protocol.scaffold.FormatLabel;

/** Facts that stand in one row of a table and nowhere else, with the real model. */
class TableFactsTest {
  private static final Map<String, String> FILES =
      Map.of(
          "fees.md", """
              # Port fees

              The harbour master collects the fees. They are due on arrival.

              | Vessel | Fee per night | Berth |
              |--------|--------------:|-------|
              | Rowing boat | 4 euros | north pier |
              | **Sailing yacht** | 18 euros | `B2` |
              | Fishing trawler | 35 euros | [quay three](quays.md) |
              | Ferry | 210 euros | terminal |
              """,
          "lamps.html", """
              <!doctype html><html><head><title>Lighthouse lamps</title></head><body>
              <h1>Lamps</h1><p>Every lamp is cleaned before dusk.</p>
              <table><tr><th>Lighthouse</th><th>Range</th><th>Keeper</th></tr>
              <tr><td>North Rock</td><td>21 nautical miles</td><td>Ada Brandt</td></tr>
              <tr><td>Gull Island</td><td>14 nautical miles</td><td>Per Holm</td></tr>
              <tr><td>South Spit</td><td>9 nautical miles</td><td>nobody</td></tr></table>
              </body></html>
              """,
          "tides.md", """
              # Tides

              The moon raises the tides. High water comes twice a day.
              """);

  /** What is asked, and the row as the answer has to quote it. */
  private static final Map<String, String> ROWS =
      Map.of(
          "What is the fee per night for a sailing yacht?", "Sailing yacht",
          "How much does a ferry pay per night?", "Ferry",
          "Where is the berth of a fishing trawler?", "Fishing trawler",
          "What is the range of the lamp at Gull Island?", "Gull Island",
          "Who is the keeper of the lighthouse North Rock?", "North Rock");

  @TempDir static Path folder;
  @AutoClose private static AskedDocuments documents;

  @BeforeAll
  static void index() throws IOException, InterruptedException {
    documents = new AskedDocuments(folder, FILES);
  }

  @Test
  void a_row_that_holds_the_fact_is_quoted() {
    List<String> missed = new ArrayList<>();
    for (FormatLabel format : FormatLabel.values()) {
      ROWS.forEach((question, row) -> {
        QuestionRun.Result run = documents.ask(question, format);
        assertEquals("", run.fault().orElse(""), question);
        if (!run.answer().orElseThrow().contains(row)) {
          missed.add(format + " " + question + " -> " + run.answer().orElseThrow());
        }
      });
    }
    assertEquals("", String.join("\n", missed));
  }
}
