package rubricem.app.cli;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import rubricem.http.server.page.BrowserRig;
import rubricem.http.server.page.ChromiumPresent;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Running;

/** The page in front of the real program, whose process is killed under it. */
@ExtendWith(ChromiumPresent.class)
@Timeout(300)
class PageRestartIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PATIENCE_MILLIS = 90_000;
  private static final String PLAN =
      "<think>t</think><structured_plan><deep_analysis>d</deep_analysis><rubric>- (3) Names the"
          + " cause</rubric><research_plan>p</research_plan></structured_plan>"
          + "<call_tool name=\"local_search\">tides</call_tool>";
  private static final String ANSWER =
      "<think>t</think><state_evaluation>s</state_evaluation><review><rubric_review>- Names the"
          + " cause: met by S_1</rubric_review><writing_plan>w</writing_plan></review><answer>"
          + "<cite id=\"S_1\">The moon raises the tides.</cite></answer>";

  @TempDir static Path scratch;

  private Running serve(int port) throws Exception {
    Path corpus = Files.createDirectories(scratch.resolve("docs"));
    Files.writeString(corpus.resolve("tides.txt"), "The moon raises the tides of the sea.");
    Path script = scratch.resolve("script.jsonl");
    Files.writeString(
        script,
        JSON.writeValueAsString(Map.of("text", PLAN)) + "\n"
            + JSON.writeValueAsString(Map.of("text", ANSWER, "delay_ms", 4_000)) + "\n");
    return Program.in(scratch).start(
        "serve", "--port", "" + port, "--corpus", corpus.toString(), "--data-dir",
        scratch.resolve("data").toString(), "--policy", "scripted:" + script);
  }

  @Test
  void R08_R16_R18_a_page_outlives_its_server_and_shows_each_event_once() throws Exception {
    Running first = serve(0);
    URI base = first.address();
    try (BrowserRig browser = new BrowserRig()) {
      Page page = browser.desktop(base.toString());
      page.locator("#question").fill("What raises the tides?");
      page.keyboard().press("Control+Enter");
      assertThat(page.locator(".timeline > li")).hasCount(3);
      page.evaluate("() => { window.stillHere = true; }");
      assertNotEquals(0, first.kill().code());
      assertThat(page.locator("#notice")).containsText("The server cannot be reached");
      assertThat(page.locator(".timeline > li")).hasCount(3);
      Running second = serve(base.getPort());
      second.address();
      assertThat(page.locator(".report")).containsText(
          "The moon raises the tides.",
          new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE_MILLIS));
      assertThat(page.locator("#notice")).hasText("");
      assertEquals(true, page.evaluate("window.stillHere"));
      Page fresh = browser.desktop(page.url());
      assertThat(fresh.locator(".report .cite")).hasCount(1);
      for (Page each : List.of(page, fresh)) {
        each.locator(".how > summary").click();
        assertThat(each.locator(".timeline > li")).hasCount(5);
      }
      assertEquals(
          page.locator(".timeline > li").allInnerTexts(),
          fresh.locator(".timeline > li").allInnerTexts());
      assertEquals(
          page.locator(".figures").innerText(), fresh.locator(".figures").innerText());
      assertThat(page.locator(".timeline")).containsText("The server was started again");
      page.locator(".report .cite").click();
      assertThat(page.locator("mark")).hasText("The moon raises the tides of the sea.");
      browser.closePages();
      second.kill();
    }
  }
}
