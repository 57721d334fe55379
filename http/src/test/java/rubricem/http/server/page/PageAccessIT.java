package rubricem.http.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.http.server.page.PageRig.button;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeOutcome;

/** Every view for everybody: rules of accessibility, narrow screens, hostile text. */
@ExtendWith(ChromiumPresent.class)
@Timeout(120)
class PageAccessIT {
  /** Nothing in it can be broken but by force. */
  private static final String LONG_WORD = "https://example.org/" + "extraordinarily".repeat(30);

  private static PageRig rig;
  private static final Map<String, View> VIEWS = new LinkedHashMap<>();

  /** @param ready brings the view about once its address is open */
  private record View(String path, Consumer<Page> ready) {}

  @BeforeAll
  static void start() throws Exception {
    rig = new PageRig();
    EpisodeId running = rig.begin("What happens? " + LONG_WORD);
    rig.story(running).plan().search();
    EpisodeId ended = rig.told("What raises the tides? " + LONG_WORD);
    EpisodeId failed = rig.begin("Failed?");
    rig.story(failed).plan().search().fail("It cannot be reached: " + LONG_WORD);
    EpisodeId nothing = rig.begin("Nothing?");
    rig.story(nothing).plan().answer("1. (3) Says what — not met", "Nothing.")
        .complete(EpisodeOutcome.NO_EVIDENCE);
    view("ask", "/", p -> p.getByText("Sources and limits").click());
    view("nothing asked", "/", p -> {
      button(p, "Ask").click();
      assertThat(p.locator(".wrong")).isVisible();
    });
    view("running", "/research/" + running, p -> {
      assertThat(p.locator(".timeline > li")).hasCount(2);
      p.locator(".entry summary").last().click();
    });
    view("confirm", "/research/" + running, p -> button(p, "Cancel").click());
    view("report", "/research/" + ended, p -> {
      assertThat(p.locator(".report")).isVisible();
      p.locator(".how > summary").click();
      p.locator(".menu summary").click();
    });
    view("passage", "/research/" + ended + "/source/S_2?claim=2",
        p -> assertThat(p.locator("mark.active")).isVisible());
    view("failed", "/research/" + failed, p -> assertThat(p.locator(".trouble")).isVisible());
    view("no evidence", "/research/" + nothing,
        p -> assertThat(p.locator(".trouble")).isVisible());
    EpisodeId early = rig.begin("Ended early?");
    rig.story(early).plan().search().finishInTheMiddle().answer().check()
        .complete(EpisodeOutcome.ANSWERED);
    EpisodeId cancelled = rig.begin("Cancelled?");
    rig.story(cancelled).plan().search().searchAgain("what raises tides").think().cancel();
    view("ended early", "/research/" + early, p -> {
      p.locator(".how > summary").click();
      p.locator(".report .cite").first().hover();
      assertThat(p.locator(".glance")).isVisible();
    });
    view("cancelled", "/research/" + cancelled,
        p -> assertThat(p.locator(".trouble")).isVisible());
    view("unknown passage", "/research/" + ended + "/source/S_77",
        p -> assertThat(p.locator(".passage .trouble")).isVisible());
    view("searched", "/research/history?q=ended",
        p -> assertThat(p.locator(".row-question mark")).isVisible());
    view("history", "/research/history", p -> assertThat(p.locator(".rows")).isVisible());
    view("lost", "/research/e00000000000000000000000zz",
        p -> assertThat(p.locator(".trouble")).isVisible());
  }

  private static void view(String name, String path, Consumer<Page> ready) {
    VIEWS.put(name, new View(path, ready));
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @AfterEach
  void closePages() {
    rig.browser.closePages();
  }

  private static Page page(View view, int width, ColorScheme scheme) {
    Page page = rig.browser.open(rig.at(view.path()), width, scheme);
    view.ready().accept(page);
    // its events come after it: what they draw would come while a test looks
    assertThat(page.locator("[aria-busy=true]")).hasCount(0);
    return page;
  }

  @ParameterizedTest
  @EnumSource(value = ColorScheme.class, names = {"LIGHT", "DARK"})
  void no_view_has_a_serious_fault(ColorScheme scheme) {
    List<String> faults = new ArrayList<>();
    VIEWS.forEach((name, view) -> {
      int width = scheme == ColorScheme.DARK ? BrowserRig.PHONE : BrowserRig.DESKTOP;
      new AxeBuilder(page(view, width, scheme)).analyze().getViolations().stream()
          .filter(v -> List.of("serious", "critical").contains(v.getImpact()))
          .forEach(v -> v.getNodes().forEach(
              node -> faults.add(name + ": " + v.getId() + " " + node.getHtml() + " "
                  + node.getFailureSummary())));
      rig.browser.closePages();
    });
    assertEquals(List.of(), faults);
  }

  @Test
  void no_view_scrolls_sideways_on_a_phone() {
    VIEWS.forEach((name, view) -> {
      Page page = page(view, BrowserRig.PHONE, ColorScheme.LIGHT);
      int width = (int) page.evaluate("document.documentElement.scrollWidth");
      assertTrue(width <= BrowserRig.PHONE, name + " is " + width + " px wide");
      rig.browser.closePages();
    });
  }

  @Test
  void every_control_has_a_name_and_every_view_a_heading() {
    VIEWS.forEach((name, view) -> {
      Page page = page(view, BrowserRig.DESKTOP, ColorScheme.LIGHT);
      assertEquals(1, page.locator("h1").count(), name);
      assertTrue(page.title().endsWith("RubricEM"), name);
      rig.browser.closePages();
    });
  }

  /** What can be seen and pressed, and Tab never came to. */
  private static final String UNREACHED =
      "() => [...(document.querySelector('dialog:modal') ?? document.body)"
          + ".querySelectorAll('a[href], button, input, select, textarea, summary')]"
          + ".filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.disabled"
          + " && !(e.type === 'radio' && !e.checked) && !window.visited.has(e))"
          + ".map(e => e.outerHTML.slice(0, 120))";

  @Test
  void every_action_is_reached_by_tab() {
    VIEWS.forEach((name, view) -> {
      Page page = page(view, BrowserRig.DESKTOP, ColorScheme.LIGHT);
      page.evaluate(
          "() => { window.visited = new Set([document.activeElement]);"
              + " document.addEventListener('focusin', e => window.visited.add(e.target)); }");
      List<?> unreached = List.of(page);
      for (int round = 0; round < 12 && !unreached.isEmpty(); round++) {
        for (int presses = 0; presses < 10; presses++) {
          page.keyboard().press("Tab");
        }
        unreached = (List<?>) page.evaluate(UNREACHED);
      }
      assertEquals(List.of(), unreached, name);
      rig.browser.closePages();
    });
  }

  @Test
  void R52_what_documents_and_models_hold_is_shown_and_never_run() throws Exception {
    String hostile =
        "<script>window.pwned=1</script><img src=x onerror=\"window.pwned=2\">"
            + "<iframe srcdoc=\"<script>parent.pwned=3</script>\"></iframe>"
            + "<style>body{display:none}</style><svg onload=\"window.pwned=4\"></svg>"
            + "[click](javascript:window.pwned=5)";
    EpisodeId id = rig.begin("Is it safe? " + hostile);
    rig.story(id).plan("- (3) " + hostile)
        .search(hostile,
            Story.passage("evil.html", hostile, "javascript:window.pwned=6",
                hostile + " " + Story.QUOTE),
            Story.passage("sun" + hostile, "The sun", "data:text/html," + hostile, "Far away."))
        .answer("- " + hostile + " — met by S_1",
            "## " + hostile + "\n\n<cite id=\"S_1\">" + Story.QUOTE + "</cite> " + hostile
                + "\n\n<cite id=\"S_2\">The sun is a lamp.</cite>")
        .check().complete(EpisodeOutcome.ANSWERED);
    EpisodeId failed = rig.begin("And this?");
    rig.story(failed).fail(hostile);
    Page page = rig.browser.desktop(rig.at(id));
    assertThat(page.locator(".report .cite")).hasCount(2);
    page.locator(".how > summary").click();
    assertInert(page);
    page.locator(".report .cite").first().click();
    assertThat(page.locator(".passage-text")).containsText("<script>window.pwned=1</script>");
    assertThat(page.locator("mark.active")).hasText(Story.QUOTE);
    assertInert(page);
    page.navigate(rig.at(failed));
    assertThat(page.locator(".trouble")).containsText("<iframe srcdoc=");
    assertInert(page);
    page.navigate(rig.at("/research/history"));
    assertThat(page.locator(".row-question").nth(1)).containsText("<script>");
    assertInert(page);
    page.navigate(rig.at("/?again=" + id));
    assertThat(page.locator("#question")).hasValue("Is it safe? " + hostile);
    assertInert(page);
  }

  /** The second wall: even a fault in what our server writes brings in no script. */
  @Test
  void R52_a_report_with_script_in_it_loses_the_script() throws Exception {
    EpisodeId id = rig.told("What if it came through?");
    Page page = rig.browser.desktop("about:blank");
    page.route(
        "**/report?format=html",
        route -> route.fulfill(
            new Route.FulfillOptions().setContentType("text/html").setBody(
                "<html lang=\"en\" dir=\"ltr\"><body><article><p onclick=\"window.pwned=1\""
                    + " style=\"color:red\">Kept text<script>window.pwned=2</script>"
                    + "<img src=x onerror=window.pwned=3><a href=\"javascript:window.pwned=4\">a"
                    + "</a><svg onload=window.pwned=5></svg><custom-tag>and this</custom-tag></p>"
                    + "</article></body></html>")));
    page.navigate(rig.at(id));
    assertThat(page.locator(".report")).hasText("Kept textaand this");
    assertEquals(0, page.locator(".report [onclick]").count());
    assertInert(page);
    for (String fault : rig.browser.takeFaults()) {
      assertTrue(fault.contains("The action has been blocked"), fault);
    }
  }

  private static void assertInert(Page page) {
    assertEquals(null, page.evaluate("window.pwned ?? null"));
    assertEquals(
        0,
        page.locator(
                "main script, main img, main iframe, main style, main object, main [onload],"
                    + " main [onerror], main [style], main a[href^='javascript' i],"
                    + " main a[href^='data' i], main a[href^='file' i]")
            .count());
    assertEquals(
        0, page.locator("main a[href^=http]:not([rel~=noopener])").count(), "outside links");
  }
}
