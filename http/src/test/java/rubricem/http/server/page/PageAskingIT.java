package rubricem.http.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.http.server.page.PageRig.button;
import static rubricem.http.server.page.PageRig.shownBy;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import rubricem.http.server.EdgeRig;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeOutcome;

/** Asking, and finding again what was asked, in a browser. */
@ExtendWith(ChromiumPresent.class)
@Timeout(120)
class PageAskingIT {
  private static final int QUESTION_MAX = 32_768;
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

  private static void isPost(Route route, java.util.function.Consumer<Route> then) {
    if (route.request().method().equals("POST")) {
      then.accept(route);
    } else {
      route.resume();
    }
  }

  @Test
  void R24_a_double_click_and_a_lost_answer_make_one_episode() {
    int before = rig.edge.world.count();
    AtomicInteger sent = new AtomicInteger();
    List<Route> offers = new ArrayList<>();
    Page page = rig.browser.desktop("about:blank");
    page.route("**/offer.json", offers::add);
    page.navigate(rig.at("/"));
    page.route("**/v1/research", route -> isPost(route, r -> {
      // the server has it, and its answer is lost
      r.fetch();
      sent.incrementAndGet();
      r.abort();
    }));
    page.locator("#question").fill("Once?");
    button(page, "Ask").dblclick();
    assertThat(page.locator(".trouble")).containsText("The server cannot be reached");
    assertEquals(1, sent.get(), "the second click only waited");
    // what the form comes to know in between makes it no other question
    offers.forEach(Route::resume);
    assertThat(page.locator("#policy option")).hasCount(2);
    button(page, "Try again").click();
    page.waitForCondition(() -> sent.get() == 2);
    // a reload in between sends it again by itself
    page.unrouteAll();
    page.reload();
    shownBy(page);
    assertEquals(before + 1, rig.edge.world.count());
    assertThat(page.locator("h1")).hasText("Once?");
  }

  @Test
  void the_same_question_asked_twice_on_purpose_is_researched_twice() {
    int before = rig.edge.world.count();
    Page page = rig.browser.desktop(rig.at("/"));
    for (int i = 1; i <= 2; i++) {
      page.navigate(rig.at("/"));
      page.locator("#question").fill("Twice?");
      page.keyboard().press("Control+Enter");
      shownBy(page);
      assertEquals(before + i, rig.edge.world.count());
    }
  }

  @Test
  void what_the_form_says_is_what_is_asked() throws Exception {
    Page page = rig.browser.desktop(rig.at("/"));
    page.locator("#question").fill("With limits?");
    page.getByLabel("Exact answer").check();
    page.getByText("Sources and limits").click();
    page.locator("#policy").selectOption("openai:http://localhost/v1#m");
    page.locator("#searches").fill("0");
    button(page, "Ask").click();
    assertThat(page.locator(".wrong")).containsText("from 1 to 100");
    assertThat(page.locator("#searches")).isFocused();
    page.locator("#searches").fill("3");
    page.locator("#seconds").fill("60");
    button(page, "Ask").click();
    EpisodeId id = shownBy(page);
    var episode = EdgeRig.json(rig.edge.get("/v1/research/" + id));
    assertEquals("exact_answer", episode.get("format").asText());
    assertEquals("openai:http://localhost/v1#m", episode.get("policy").get("spec").asText());
    assertEquals(3, episode.get("limits").get("tool_calls").asInt());
    assertEquals(60, episode.get("limits").get("seconds").asInt());
  }

  @Test
  void questions_in_any_script_and_of_any_length_keep_their_shape() throws Exception {
    Page page = rig.browser.desktop(rig.at("/"));
    page.locator("#question").fill("ما الذي يرفع المد والجزر؟");
    assertEquals("rtl", direction(page.locator("#question")));
    button(page, "Ask").click();
    EpisodeId arabic = shownBy(page);
    assertEquals("rtl", direction(page.locator("h1")));
    rig.story(arabic).whole();
    assertThat(page.locator(".report")).isVisible();
    String longest = "海".repeat(QUESTION_MAX - 4) + "𠀋𠀋𠀋?";
    page.navigate(rig.at("/"));
    page.locator("#question").fill(longest + "!");
    assertThat(page.locator(".left")).hasText("1 character too many");
    button(page, "Ask").click();
    assertThat(page.locator(".wrong")).containsText("32,768");
    page.locator("#question").fill(longest);
    button(page, "Ask").click();
    EpisodeId id = shownBy(page);
    assertEquals(
        longest, EdgeRig.json(rig.edge.get("/v1/research/" + id)).get("question").asText());
    page.getByText("The whole question").click();
    assertThat(page.locator(".whole .plain")).hasText(longest);
  }

  private static String direction(Locator element) {
    return (String) element.evaluate("e => getComputedStyle(e).direction");
  }

  @Test
  void a_full_server_is_named_and_asked_again_with_what_was_typed() throws Exception {
    try (PageRig full = new PageRig(EdgeRig.settings(1, Duration.ofSeconds(15)))) {
      EpisodeId running = full.begin("The only one");
      Page page = full.browser.desktop(full.at("/"));
      page.locator("#question").fill("And me?");
      button(page, "Ask").click();
      assertThat(page.locator(".trouble")).containsText("Too many episodes are running");
      assertThat(page.locator(".trouble")).containsText("In about 5 seconds.");
      assertThat(page.locator("#question")).hasValue("And me?");
      full.story(running).whole();
      button(page, "Try again").click();
      shownBy(page);
      full.browser.closePages();
    }
  }

  @Test
  void a_server_that_is_not_ready_says_why() throws Exception {
    rig.edge.edge.readiness().notReady("The documents are being read. Ask again in a moment.");
    try {
      Page page = rig.browser.desktop(rig.at("/"));
      assertThat(page.locator(".state")).hasText(
          "The documents are being read. Ask again in a moment.");
      page.locator("#question").fill("Now?");
      button(page, "Ask").click();
      assertThat(page.locator(".trouble")).containsText("The documents are being read");
      rig.edge.edge.readiness().ready();
      button(page, "Try again").click();
      shownBy(page);
    } finally {
      rig.edge.edge.readiness().ready();
    }
  }

  @Test
  void the_history_is_searched_filtered_and_paged() throws Exception {
    for (int i = 1; i <= 24; i++) {
      EpisodeId id = rig.begin("History item " + i + (i % 12 == 0 ? " special" : ""));
      rig.story(id).plan().complete(EpisodeOutcome.NO_EVIDENCE);
    }
    rig.begin("History item running");
    Page page = rig.browser.desktop(rig.at("/research/history?q=History+item"));
    assertThat(page.locator(".rows li")).hasCount(20);
    button(page, "Show more").click();
    assertThat(page.locator(".rows li")).hasCount(25);
    assertThat(page.locator(".row-link").nth(20)).isFocused();
    page.locator("#q").fill("special");
    assertThat(page.locator(".rows li")).hasCount(2);
    assertTrue(page.url().endsWith("/research/history?q=special"), page.url());
    page.locator(".row-link").first().click();
    assertThat(page.locator("h1")).hasText("History item 24 special");
    page.goBack();
    assertThat(page.locator("#q")).hasValue("special");
    assertThat(page.locator(".rows li")).hasCount(2);
    page.locator("#q").fill("History item");
    page.locator("#status").selectOption("running");
    assertThat(page.locator(".row-question")).hasText(
        new Pattern[] {Pattern.compile("History item running")});
    page.locator("#q").fill("nothing like this");
    assertThat(page.locator(".empty")).containsText("No question fits.");
    button(page, "Show all").click();
    assertThat(page.locator("#q")).isFocused();
    assertThat(page.locator(".rows li")).hasCount(20);
  }
}
