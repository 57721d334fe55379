package rubricem.app.cli;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
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

/** Finishing and cancelling from the page, and reading while the server goes away, for real. */
@ExtendWith(ChromiumPresent.class)
@Timeout(300)
class PageEndingIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PATIENCE_MILLIS = 90_000;

  /** Nobody waits for a turn as slow as this: somebody's wish to finish ends it. */
  private static final int NEVER_MILLIS = 200_000;

  private static final String THOUGHT = "<think>t</think><state_evaluation>s</state_evaluation>";
  private static final String PLAN =
      "<think>t</think><structured_plan><deep_analysis>d</deep_analysis><rubric>- (3) Names the"
          + " cause</rubric><research_plan>p</research_plan></structured_plan>"
          + "<call_tool name=\"local_search\">tides</call_tool>";
  private static final String SEARCH = THOUGHT + "<call_tool name=\"local_search\">sea</call_tool>";
  private static final String ANSWER =
      THOUGHT + "<review><rubric_review>- Names the cause: met by S_1</rubric_review>"
          + "<writing_plan>w</writing_plan></review><answer><cite id=\"S_1\">The moon raises the"
          + " tides.</cite></answer>";

  @TempDir static Path scratch;

  /** @param data a folder of the test's own: what one leaves running is nothing to another */
  private Running serve(int port, String data) throws Exception {
    Path corpus = Files.createDirectories(scratch.resolve("docs"));
    Files.writeString(corpus.resolve("tides.txt"), "The moon raises the tides of the sea.");
    Path script = scratch.resolve("script.jsonl");
    Files.writeString(
        script,
        JSON.writeValueAsString(Map.of("text", PLAN)) + "\n"
            + JSON.writeValueAsString(Map.of("text", SEARCH, "delay_ms", NEVER_MILLIS)) + "\n"
            + JSON.writeValueAsString(Map.of("text", ANSWER, "delay_ms", 500)) + "\n");
    return Program.in(scratch).start(
        "serve", "--port", "" + port, "--corpus", corpus.toString(), "--data-dir",
        scratch.resolve(data).toString(), "--policy", "scripted:" + script);
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static void ask(Page page, URI base, String question) {
    page.navigate(base.toString());
    page.locator("#question").fill(question);
    page.keyboard().press("Control+Enter");
    assertThat(page.locator(".timeline > li")).hasCount(3);
    assertThat(page.locator(".timeline > li").nth(2)).containsText("Thinking");
  }

  private static List<String> told(Page page) {
    assertThat(page.locator(".report .cite")).hasCount(1);
    if (!page.locator(".how").evaluate("d => d.open").equals(true)) {
      page.locator(".how > summary").click();
    }
    assertThat(page.locator(".timeline > li")).hasCount(6);
    return List.of(
        page.locator(".banner").innerText(), page.locator(".badges").innerText(),
        page.locator(".report").innerText(), page.locator(".rubric").innerText(),
        page.locator(".figures").innerText(), page.locator(".timeline").innerText());
  }

  @Test
  void finish_brings_the_report_marked_as_ended_early_and_a_reload_shows_the_same()
      throws Exception {
    Running server = serve(0, "finish");
    try (BrowserRig browser = new BrowserRig()) {
      Page page = browser.desktop("about:blank");
      ask(page, server.address(), "What raises the tides?");
      button(page, "Finish now").click();
      assertThat(page.locator(".report")).containsText("The moon raises the tides.");
      assertThat(page.locator(".banner")).containsText(
          "Ended early by a reader: written from 1 passage found until then.");
      assertThat(page.locator(".badge[data-kind=ended_early]")).hasText("Ended early");
      List<String> before = told(page);
      assertThat(page.locator(".timeline .entry-name")).hasText(
          new String[] {
            "Made a plan", "Searched the documents", "Was thinking when it was ended",
            "Ended early by a reader; the answer is written from what was found",
            "Reviewed the evidence and wrote the answer", "Held each claim against its passage"});
      page.reload();
      assertEquals(before, told(page));
      assertEquals(before, told(browser.desktop(page.url())));
      browser.closePages();
    } finally {
      server.kill();
    }
  }

  @Test
  void cancel_ends_it_with_what_was_found_and_without_a_report() throws Exception {
    Running server = serve(0, "cancel");
    try (BrowserRig browser = new BrowserRig()) {
      Page page = browser.desktop("about:blank");
      ask(page, server.address(), "Shall it go on?");
      button(page, "Cancel").click();
      button(page, "Cancel the research").click();
      assertThat(page.locator(".trouble h2")).hasText("This research was cancelled");
      assertThat(page.locator(".trouble")).containsText(
          "1 passage had been found until then and is kept below.");
      assertThat(page.locator("a[href*='again=']")).hasCount(1);
      String before = page.locator("#view").innerText();
      page.reload();
      assertThat(page.locator(".timeline > li")).hasCount(4);
      assertEquals(before, page.locator("#view").innerText());
      browser.closePages();
    } finally {
      server.kill();
    }
  }

  @Test
  void whoever_reads_while_the_server_is_killed_loses_nothing() throws Exception {
    Running first = serve(0, "read");
    URI base = first.address();
    try (BrowserRig browser = new BrowserRig()) {
      Page page = browser.desktop("about:blank");
      ask(page, base, "What is read?");
      button(page, "Finish now").click();
      assertThat(page.locator(".report .cite")).hasCount(1);
      String before = page.locator("#view").innerText();
      first.kill();
      page.locator(".report .cite").click();
      assertThat(page.locator(".passage .trouble")).containsText("The server cannot be reached");
      assertThat(page.locator(".report")).containsText("The moon raises the tides.");
      Running second = serve(base.getPort(), "read");
      second.address();
      assertThat(page.locator("mark.active")).hasText(
          "The moon raises the tides of the sea.",
          new LocatorAssertions.HasTextOptions().setTimeout(PATIENCE_MILLIS));
      page.keyboard().press("Escape");
      assertEquals(before, page.locator("#view").innerText());
      browser.closePages();
      second.kill();
    }
  }
}
