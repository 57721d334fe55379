package rubricem.http.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.http.server.page.PageRig.button;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.http.server.EdgeRig;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.Problem;
import rubricem.http.server.SseReader;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.FinishCause;

/** Every way in which research ends, or does not begin, in words of its own. */
@ExtendWith(ChromiumPresent.class)
@Timeout(120)
class PageOutcomesIT {
  /** Kinds of failure that can end an episode. */
  private static final List<String> FAILURES =
      List.of(
          "auth", "quota", "rate_limit", "connect", "timeout", "stalled", "server_error",
          "protocol", "bad_request", "context_too_long", "filtered", "unknown_policy", "no_answer",
          "search_failed", "nothing_searched", "deadline", "defect");

  /** The page asks again after up to eight seconds. */
  private static final double COMES_BACK_MILLIS = 20_000;

  private static final LocatorAssertions.IsVisibleOptions LATER =
      new LocatorAssertions.IsVisibleOptions().setTimeout(COMES_BACK_MILLIS);
  private static final LocatorAssertions.ContainsTextOptions AGAIN =
      new LocatorAssertions.ContainsTextOptions().setTimeout(COMES_BACK_MILLIS);
  private static final LocatorAssertions.HasTextOptions NO_NOTICE =
      new LocatorAssertions.HasTextOptions().setTimeout(COMES_BACK_MILLIS);

  private static final Map<String, Consumer<Story>> ENDS = new LinkedHashMap<>();
  private static PageRig rig;

  @BeforeAll
  static void start() throws Exception {
    rig = new PageRig();
    for (String kind : FAILURES) {
      ENDS.put(kind, s -> s.plan().search().fail(kind, "The message of " + kind + "."));
    }
    ENDS.put("no evidence", s -> noEvidence(s.plan().search()));
    ENDS.put("never searched", s -> noEvidence(s.plan()));
    ENDS.put("cancelled", s -> s.plan().search().think().cancel());
  }

  private static void noEvidence(Story story) {
    story.answer("1. (3) Says what — not met", "Nothing.").complete(EpisodeOutcome.NO_EVIDENCE);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @AfterEach
  void closePages() {
    rig.browser.closePages();
  }

  private static Page shown(String question, Consumer<Story> told) throws Exception {
    EpisodeId id = rig.begin(question);
    told.accept(rig.story(id));
    return rig.browser.desktop(rig.at(id));
  }

  @Test
  void every_end_without_a_report_has_words_of_its_own_and_one_way_on() throws Exception {
    Set<String> titles = new HashSet<>();
    Set<String> ways = new HashSet<>();
    for (var end : ENDS.entrySet()) {
      Page page = shown("How does it end? " + end.getKey(), end.getValue());
      Locator trouble = page.locator(".trouble");
      assertThat(trouble).hasCount(1);
      assertTrue(titles.add(trouble.locator("h2").innerText()), end.getKey() + " " + titles);
      assertTrue(ways.add(trouble.locator(".next").innerText()), end.getKey() + " " + ways);
      assertThat(page.locator("a[href*='again=']")).hasCount(1);
      if (FAILURES.contains(end.getKey())) {
        assertThat(trouble).containsText("The message of " + end.getKey() + ".");
      }
      rig.browser.closePages();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TOOL_CALLS | the number of searches was used up | Allow more searches",
        "SECONDS | the time was used up | Allow more seconds",
        "TOKENS | the tokens were used up | tokens",
        "COST | the money was used up | money",
        "TURNS | the number of turns was used up | narrower question",
        "REPEATED_CALLS | the same search was asked again and again | other words",
        "VIOLATIONS | turns could not be read | Another model",
        "OUTPUT_TOKENS | output limit | shorter form",
      })
  void a_report_that_a_limit_ended_says_which_and_how_to_get_more(
      FinishCause cause, String why, String way) throws Exception {
    Page page =
        shown(
            "Limited by " + cause + "?",
            s -> s.plan().search().finish(cause).answer().check()
                .complete(EpisodeOutcome.LIMIT_REACHED));
    assertThat(page.locator(".banner")).containsText(why);
    assertThat(page.locator(".banner")).containsText(way);
    assertThat(page.locator(".report")).isVisible();
    assertThat(page.locator("a[href*='again=']")).hasCount(1);
  }

  @Test
  void a_report_that_a_reader_ended_early_says_so_and_blames_nobody() throws Exception {
    Page page =
        shown(
            "Ended early?",
            s -> s.plan().search().finishInTheMiddle().answer().check()
                .complete(EpisodeOutcome.ANSWERED));
    assertThat(page.locator(".banner")).containsText("Ended early by a reader");
    assertThat(page.locator(".banner")).containsText("2 passages");
    assertThat(page.locator(".badge[data-kind=ended_early]")).hasText("Ended early");
    page.locator(".how > summary").click();
    assertThat(page.locator(".timeline .entry-name")).hasText(
        new String[] {
          "Made a plan", "Searched the documents", "Was thinking when it was ended",
          "Ended early by a reader; the answer is written from what was found",
          "Reviewed the evidence and wrote the answer", "Held each claim against its passage"});
    assertThat(page.locator(".timeline .sign-warn")).hasCount(1);
    assertThat(page.locator(".timeline .try")).hasCount(1);
  }

  @Test
  void what_was_cancelled_says_what_is_kept_and_nothing_of_a_fault() throws Exception {
    Page page = shown("Cancelled late?", s -> s.plan().search().think().cancel());
    assertThat(page.locator(".trouble")).containsText("2 passages had been found");
    assertThat(page.locator(".timeline .entry-name").nth(2)).hasText(
        "Was thinking when it was cancelled");
    assertFalse(page.locator("#view").innerText().contains("no answer"));
    page = shown("Cancelled at once?", s -> s.think().cancel());
    assertThat(page.locator(".trouble")).containsText("Nothing had been found yet.");
    assertFalse(page.locator(".trouble").innerText().contains("below"));
    assertThat(page.locator(".trouble .sign-stop")).hasCount(1);
  }

  @Test
  void the_same_search_is_told_once() throws Exception {
    String query = "what raises tides";
    Page page =
        shown("Once?", s -> s.plan().search().searchAgain(query).searchAgain(query).answer()
            .check().complete(EpisodeOutcome.ANSWERED));
    page.locator(".how > summary").click();
    assertThat(page.locator(".timeline .query")).hasCount(1);
    assertThat(page.locator(".timeline .entry-name").nth(2)).hasText(
        "Asked the same again, 2 times");
    assertThat(page.locator(".timeline > li")).hasCount(5);
  }

  @Test
  void one_thing_is_no_plural() throws Exception {
    Page page =
        shown(
            "One of each?",
            s -> s.plan().search("tides", Story.passage("a.txt", "A", "", Story.PASSAGE)));
    assertThat(page.locator(".figures")).containsText("1 of 10 searches");
    assertThat(page.locator(".figures")).containsText("1 passage");
    assertThat(page.locator(".timeline .entry-facts").nth(1)).containsText("1 passage ·");
    assertFalse(page.locator("#view").innerText().contains("1 passages"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | No such source | Change what it names",
        "413 | Too large | Shorten it",
        "429 | Too many episodes are running | when another research has ended",
        "503 | Not ready | as soon as the server is ready",
        "500 | Broken | log of the server",
      })
  void a_start_that_is_refused_says_why_and_what_to_do(int status, String title, String way) {
    Page page = rig.browser.desktop(rig.at("/"));
    page.route(
        "**/v1/research",
        route -> route.fulfill(
            new Route.FulfillOptions().setStatus(status)
                .setContentType("application/problem+json")
                .setBody("{\"title\":\"" + title + "\",\"detail\":\"The detail.\"}")));
    page.locator("#question").fill("May I?");
    button(page, "Ask").click();
    assertThat(page.locator(".trouble h2")).hasText(title);
    assertThat(page.locator(".trouble")).containsText("The detail.");
    assertThat(page.locator(".trouble .next")).containsText(way);
    assertThat(page.locator("#question")).hasValue("May I?");
    assertEquals(rig.at("/"), page.url());
  }

  @Test
  void a_full_disk_is_told_without_the_words_of_the_interface() {
    Page page = rig.browser.desktop(rig.at("/"));
    String body =
        EdgeRig.JSON.createObjectNode().put("title", "The database cannot be used now")
            .put("detail", Problem.storageUnavailable("There is no room.").detail()).toString();
    page.route(
        "**/v1/research",
        route -> route.fulfill(
            new Route.FulfillOptions().setStatus(503)
                .setContentType("application/problem+json").setBody(body)));
    page.locator("#question").fill("May I?");
    button(page, "Ask").click();
    assertThat(page.locator(".trouble"))
        .containsText("There is no room. Ask again later; nothing happens twice.");
    assertThat(page.locator(".trouble")).not().containsText("Idempotency-Key");
  }

  @Test
  void a_failed_page_advises_nothing_that_is_refused_while_the_server_runs() throws Exception {
    Page page = shown("Resumed?", s -> s.plan().search().fail("connect", "Away."));
    assertThat(page.locator(".trouble .button")).hasText("Ask again");
    assertThat(page.locator(".trouble")).not().containsText("--resume");
  }

  @Test
  void a_page_without_a_place_for_its_stream_says_so_and_shows_the_report_all_the_same()
      throws Exception {
    Duration patience = Duration.ofMinutes(1);
    EdgeSettings one =
        EdgeRig.settings(
            10, Duration.ofSeconds(15),
            new EdgeSettings.Connections(32, patience, patience, 1.0 / 32));
    try (PageRig full = new PageRig(one)) {
      EpisodeId id = full.begin("Is there room?");
      Story story = full.story(id).plan();
      String events = "/v1/research/" + full.begin("Who holds the place?") + "/events";
      Page page = full.browser.desktop(full.at("/"));
      try (SseReader first = new SseReader(full.edge.port(), events)) {
        assertEquals(200, first.status);
        page.navigate(full.at(id));
        assertThat(page.locator("#notice")).containsText("Too many pages follow research");
        story.search().answer().check().complete(EpisodeOutcome.ANSWERED);
        assertThat(page.locator(".report")).isVisible(LATER);
        assertThat(page.locator("#notice")).containsText("as soon as there is room", AGAIN);
      }
      assertThat(page.locator("#notice")).hasText("", NO_NOTICE);
      page.locator(".how > summary").click();
      assertThat(page.locator(".timeline > li")).hasCount(4);
    }
  }
}
