package rubricem.http.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.http.server.page.PageRig.button;
import static rubricem.http.server.page.PageRig.shownBy;
import static rubricem.http.server.page.PageRig.tabTo;
import static rubricem.http.server.page.PageRig.timeline;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import rubricem.http.server.EdgeRig;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.scaffold.Stage;

/** What somebody does with a running and an ended episode, in a browser. */
@ExtendWith(ChromiumPresent.class)
@Timeout(120)
class PageIT {
  private static PageRig rig;

  @BeforeAll
  static void start() throws Exception {
    rig = new PageRig();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @AfterEach
  void closePages() {
    rig.browser.closePages();
  }

  @Test
  void a_question_is_asked_followed_and_checked_by_keyboard_alone() throws Exception {
    Page page = rig.browser.desktop(rig.at("/"));
    assertThat(page.locator("#question")).isFocused();
    page.keyboard().type("What raises the tides?");
    tabTo(page, "[name=format]");
    page.keyboard().press("ArrowRight");
    tabTo(page, "button.main");
    page.keyboard().press("Enter");
    EpisodeId id = shownBy(page);
    assertThat(page.locator("[aria-current=step]")).containsText("Plan");
    Story story = rig.story(id).plan().search();
    assertThat(page.locator("[aria-current=step]")).containsText("Research");
    assertThat(page.locator(".query")).hasText("what raises tides");
    assertThat(page.locator(".criteria [data-verdict=waiting]")).hasCount(3);
    story.answer().check().complete(EpisodeOutcome.ANSWERED);
    assertThat(page.locator(".report")).containsText(Story.QUOTE);
    assertEquals(
        "short_form", EdgeRig.json(rig.edge.get("/v1/research/" + id)).get("format").asText());
    tabTo(page, ".report .cite");
    page.keyboard().press("Enter");
    assertThat(page.locator("#passage-title")).isFocused();
    assertThat(page.locator("mark.active")).hasText(Story.QUOTE);
    page.keyboard().press("Escape");
    assertThat(page.locator("dialog.passage")).isHidden();
    assertThat(page.locator(".report .cite").first()).isFocused();
    assertTrue(page.url().endsWith("/research/" + id), page.url());
  }

  @Test
  void the_report_stands_a_moment_after_the_last_event() throws Exception {
    EpisodeId id = rig.begin("How long does it take?");
    Story story = rig.story(id).plan().search().answer().check();
    Page page = rig.browser.desktop(rig.at(id));
    assertThat(page.locator(".timeline > li")).hasCount(4);
    page.evaluate("window.stillHere = true");
    page.evaluate(
        "() => { window.shownAt = new Promise(done => new MutationObserver(() =>"
            + " document.querySelector('.report') && done(Date.now()))"
            + ".observe(document.body, { childList: true, subtree: true })); }");
    long before = System.currentTimeMillis();
    story.complete(EpisodeOutcome.ANSWERED);
    long took = ((Number) page.evaluate("window.shownAt")).longValue() - before;
    System.err.println("report visible " + took + " ms after the terminal event");
    assertEquals(true, page.evaluate("window.stillHere"), "it came without loading the page again");
    assertThat(page.locator("#says")).hasText("The report is ready.");
  }

  /** An answer to an older question can bring the end before its event does. */
  @Test
  void an_end_that_is_first_seen_in_the_episode_brings_the_report() throws Exception {
    EpisodeId twin = rig.told("What comes first?");
    EpisodeId id = rig.begin("What comes first?");
    Story story = rig.story(id).plan().search();
    Page page = rig.browser.desktop(rig.at(id));
    assertThat(page.locator(".timeline > li")).hasCount(2);
    page.route(
        java.util.regex.Pattern.compile("/v1/research/" + id + "(/report.*)?$"),
        route -> {
          var there = route.fetch(
              new com.microsoft.playwright.Route.FetchOptions()
                  .setUrl(route.request().url().replace(id.value(), twin.value())));
          route.fulfill(
              new com.microsoft.playwright.Route.FulfillOptions().setResponse(there)
                  .setBody(there.text().replace(twin.value(), id.value())));
        });
    story.answer();
    assertThat(page.locator(".report .cite")).hasCount(2);
  }

  @Test
  void R18_a_reload_and_another_browser_show_the_same_in_the_middle() throws Exception {
    EpisodeId id = rig.begin("What stays?");
    Story story = rig.story(id).plan().search();
    Page page = rig.browser.desktop(rig.at(id));
    assertThat(page.locator(".timeline > li")).hasCount(2);
    assertThat(page.locator(".criteria li")).hasCount(3);
    List<String> before = timeline(page);
    String rubric = page.locator(".rubric").innerText();
    page.reload();
    Page other = rig.browser.desktop(rig.at(id));
    for (Page each : List.of(page, other)) {
      assertThat(each.locator(".timeline > li")).hasCount(2);
      assertThat(each.locator(".criteria li")).hasCount(3);
      assertThat(each.locator("[aria-current=step]")).containsText("Research");
      assertEquals(before, timeline(each));
      assertEquals(rubric, each.locator(".rubric").innerText());
    }
    story.answer().check().complete(EpisodeOutcome.ANSWERED);
    for (Page each : List.of(page, other)) {
      assertThat(each.locator(".report .cite")).hasCount(2);
    }
    assertEquals(page.locator("#view").innerText(), other.locator("#view").innerText());
  }

  @Test
  void what_is_being_written_is_seen_and_gives_way_to_what_was_written() throws Exception {
    EpisodeId id = rig.begin("Live?");
    rig.story(id).plan();
    Page page = rig.browser.desktop(rig.at(id));
    assertThat(page.locator(".timeline > li")).hasCount(1);
    CallId call = CallId.of(id, 2);
    rig.edge.world.append(
        id,
        new rubricem.protocol.episode.EpisodeEvent.PolicyCallRequested(
            java.time.Instant.EPOCH, call, 1, "p", List.of()));
    rig.edge.world.show(id, new EpisodeProgress.TextGenerated(call, "<think>The <b>moon</b> pulls"));
    assertThat(page.locator(".live")).hasText("The moon pulls");
    rig.edge.world.show(id, new EpisodeProgress.TurnRestarted(call, "stalled"));
    assertThat(page.locator(".live")).hasText("");
    rig.edge.world.show(id, new EpisodeProgress.StageEntered(Stage.REVIEW));
    assertThat(page.locator("[aria-current=step]")).containsText("Review");
  }

  @Test
  void the_rubric_stands_beside_the_report_item_by_item() throws Exception {
    Page page = rig.browser.desktop(rig.at(rig.told("What raises the tides?")));
    Locator items = page.locator(".criteria li");
    assertThat(items).hasCount(3);
    assertThat(items.nth(0).locator(".verdict-name")).hasText("Met");
    assertThat(items.nth(1).locator(".verdict-name")).hasText("Not met");
    assertThat(items.nth(2).locator(".verdict-name")).hasText("Not judged");
    assertThat(page.locator(".tally")).hasText("1 of 2 met");
    items.nth(0).locator(".chip").click();
    assertThat(page.locator("mark")).hasText(Story.QUOTE);
    assertThat(page.locator(".report")).isVisible();
  }

  @Test
  void a_rubric_without_items_is_shown_as_it_stands() throws Exception {
    EpisodeId id = rig.begin("Prose?");
    rig.story(id).plan("It should be right.\nIt should be brief.").search()
        .answer("It is right.", Story.ANSWER).check().complete(EpisodeOutcome.ANSWERED);
    Page page = rig.browser.desktop(rig.at(id));
    assertThat(page.locator(".rubric .plain").first())
        .hasText("It should be right.\nIt should be brief.");
    assertThat(page.locator(".rubric .plain").nth(1)).hasText("It is right.");
  }

  @Test
  void how_far_a_claim_is_supported_is_told_in_words_and_signs() throws Exception {
    Page page = rig.browser.desktop(rig.at(rig.told("What raises the tides?")));
    Locator cites = page.locator(".report .cite");
    assertThat(cites.nth(0)).hasAccessibleName("Citation 1, supported: Tides");
    assertThat(cites.nth(1)).hasAccessibleName("Citation 2, weak: The sun");
    assertThat(cites.nth(1).locator("svg")).hasCount(1);
    assertThat(page.locator(".badge[data-kind=weak]")).hasText("1 of 2 citations supported");
    assertThat(page.locator(".references > ol > li")).hasCount(2);
    assertThat(page.locator(".unreadable li")).hasText(
        new String[] {"scan.pdf: no text found", "locked.docx: it is encrypted"});
    assertThat(page.locator(".side .contents a")).hasText(
        new String[] {"The moon", "The sun", "The rest"});
  }

  @Test
  void a_deep_link_opens_the_passage_and_going_back_closes_it() throws Exception {
    EpisodeId id = rig.told("What raises the tides?");
    Page page = rig.browser.desktop(rig.at("/research/" + id + "/source/S_1"));
    assertThat(page.locator("mark")).hasText(Story.QUOTE);
    assertThat(page.locator(".passage")).containsText("tides.txt");
    assertThat(page.locator(".passage")).containsText("page 3");
    button(page, "Close the passage").click();
    assertThat(page.locator("dialog.passage")).isHidden();
    page.locator(".report .cite").nth(1).click();
    assertThat(page.locator("mark")).hasText("The sun is far away.");
    assertThat(page.locator(".passage dl a")).hasAttribute("href", "https://example.org/sun");
    button(page, "Previous").click();
    assertThat(page.locator("mark")).hasText(Story.QUOTE);
    page.goBack();
    assertThat(page.locator("dialog.passage")).isHidden();
    page.goForward();
    assertThat(page.locator("mark")).isVisible();
    page.navigate(rig.at("/research/" + id + "/source/S_77"));
    assertThat(page.locator(".passage .trouble")).containsText("retrieved no such passage");
  }

  @Test
  void cancel_asks_first_and_ask_again_fills_the_form() throws Exception {
    EpisodeId id = rig.begin("Shall this go on?\nIt has two lines.");
    rig.story(id).plan().search();
    Page page = rig.browser.desktop(rig.at(id));
    button(page, "Cancel").click();
    button(page, "Keep going").click();
    assertThat(button(page, "Cancel")).isFocused();
    button(page, "Cancel").click();
    button(page, "Cancel the research").click();
    assertThat(page.locator(".trouble h2")).hasText("This research was cancelled");
    assertThat(page.locator(".timeline")).containsText("what raises tides");
    page.locator(".trouble a").click();
    assertThat(page.locator("#question")).hasValue("Shall this go on?\nIt has two lines.");
    assertEquals(
        "cancelled", EdgeRig.json(rig.edge.get("/v1/research/" + id)).get("status").asText());
  }

  @Test
  void finish_now_is_sent_once_and_says_so() throws Exception {
    EpisodeId id = rig.begin("Enough?");
    rig.story(id).plan();
    Page page = rig.browser.desktop(rig.at(id));
    page.waitForRequest("**/finish", () -> button(page, "Finish now").click());
    assertThat(button(page, "Finishing …")).hasAttribute("aria-disabled", "true");
  }

  @Test
  void the_report_is_taken_along_in_every_form() throws Exception {
    EpisodeId id = rig.told("What raises the tides?");
    Page page = rig.browser.desktop(rig.at(id));
    for (String ending : List.of("md", "html", "json")) {
      page.locator(".menu summary").click();
      var download = page.waitForDownload(() ->
          page.locator(".menu a[download$='." + ending + "']").click());
      assertEquals("rubricem-" + id + "." + ending, download.suggestedFilename());
      page.keyboard().press("Escape");
    }
    assertThat(page.locator(".menu a[download$='.pdf']"))
        .hasAttribute("href", "/v1/research/" + id + "/report?format=pdf");
  }

  @Test
  void what_ended_badly_says_why_and_what_to_do() throws Exception {
    EpisodeId failed = rig.begin("Broken?");
    rig.story(failed).plan().search().fail("The model refused the key. Set OPENAI_API_KEY.");
    EpisodeId nothing = rig.begin("Nothing?");
    rig.story(nothing).plan().search("what raises tides")
        .answer("1. (3) Says what raises the tides — not met", "Nothing was found.")
        .leaveUnchecked().complete(EpisodeOutcome.NO_EVIDENCE);
    EpisodeId more = rig.begin("Nothing, and why?");
    rig.story(more).plan().search("what raises tides")
        .answer("1. (3) Says what — not met", "Nothing was found.\n\nAsk the harbour master.")
        .leaveUnchecked().complete(EpisodeOutcome.NO_EVIDENCE);
    Page page = rig.browser.desktop(rig.at(failed));
    assertThat(page.locator(".trouble")).containsText("Set OPENAI_API_KEY.");
    assertThat(page.locator(".report")).hasCount(0);
    assertThat(page.locator(".query")).isVisible();
    page.navigate(rig.at(nothing));
    assertThat(page.locator(".trouble")).containsText("Nothing that was searched answers");
    assertThat(page.locator("main")).not().containsText("Nothing was found.");
    assertThat(page.locator(".report")).hasCount(0);
    assertThat(page.locator(".cite")).hasCount(0);
    page.navigate(rig.at(more));
    assertThat(page.locator(".report")).containsText("Ask the harbour master.");
    page.navigate(rig.at("/research/e00000000000000000000000zz"));
    assertThat(page.locator("h1")).hasText("There is no such research");
    page.navigate(rig.at("/research/nonsense/here"));
    assertThat(page.locator("h1")).hasText("There is nothing here");
  }

  @Test
  void a_chosen_theme_stays() {
    Page page = rig.browser.desktop(rig.at("/"));
    page.locator("#theme").click();
    page.locator("#theme").click();
    assertThat(page.locator("#theme")).hasAccessibleName("Colours: dark");
    page.reload();
    assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
    assertThat(page.locator("#theme")).hasAccessibleName("Colours: dark");
  }
}
