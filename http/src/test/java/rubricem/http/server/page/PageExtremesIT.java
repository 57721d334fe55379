package rubricem.http.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.http.server.page.PageRig.button;

import com.microsoft.playwright.Page;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.evidence.Passage;

/** Addresses that lead nowhere, and reports and histories of any size, down to 360 px. */
@ExtendWith(ChromiumPresent.class)
@Timeout(120)
class PageExtremesIT {
  private static final int CITATIONS = 200;
  private static final int EPISODES = 1_000;
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

  private static void assertNarrow(Page page) {
    int width = (int) page.evaluate("document.documentElement.scrollWidth");
    assertTrue(width <= BrowserRig.PHONE, width + " px wide");
  }

  private static boolean seen(Page page, String selector) {
    return (boolean) page.evaluate(
        "s => { const r = document.querySelector(s).getBoundingClientRect();"
            + " return r.top >= 0 && r.top < innerHeight; }", selector);
  }

  @Test
  void an_unknown_address_says_so_and_leads_back() throws Exception {
    EpisodeId id = rig.told("What raises the tides?");
    Page page = rig.browser.desktop(rig.at("/research/nope"));
    assertThat(page.locator("h1")).hasText("There is no such research");
    page.locator(".trouble a[href='/research/history']").click();
    assertThat(page.locator("h1")).hasText("History");
    page.navigate(rig.at("/research/" + id + "/source/S_77"));
    assertThat(page.locator(".passage .trouble")).containsText("retrieved no such passage");
    button(page, "Back to the report").click();
    assertThat(page.locator("dialog.passage")).isHidden();
    assertEquals(rig.at(id), page.url());
    page.navigate(rig.at("/research/" + id + "/source/S_1?claim=99"));
    assertThat(page.locator(".passage")).containsText("The report has no claim 99.");
    assertThat(page.locator("mark").first()).hasText(Story.QUOTE);
    page.navigate(rig.at("/research/" + id + "#part-99"));
    assertThat(page.locator("#says")).hasText("This report has no such part.");
    assertThat(page.locator(".report")).isVisible();
  }

  @Test
  void a_link_to_a_part_of_a_report_opens_it_there() throws Exception {
    EpisodeId id = rig.begin("Where?");
    String filler = "Words that take room.\n\n".repeat(60);
    rig.story(id).plan().search()
        .answer(Story.REVIEW, "## One\n\n" + filler + "## Two\n\n" + Story.ANSWER)
        .check().complete(EpisodeOutcome.ANSWERED);
    Page page = rig.browser.desktop(rig.at("/research/" + id + "#part-2"));
    assertThat(page.locator("#part-2")).isFocused();
    assertTrue(seen(page, "#part-2"));
    assertThat(page.locator(".side .contents a[aria-current]")).hasText("Two");
  }

  @Test
  void a_passage_opens_by_itself_when_the_server_is_back() throws Exception {
    EpisodeId id = rig.told("Is anybody there?");
    Page page = rig.browser.desktop(rig.at(id));
    AtomicInteger refused = new AtomicInteger();
    page.route(
        "**/sources/**",
        route -> {
          if (refused.incrementAndGet() <= 2) {
            route.abort();
          } else {
            route.resume();
          }
        });
    page.locator(".report .cite").first().click();
    assertThat(page.locator(".passage .trouble")).containsText("The server cannot be reached");
    assertThat(page.locator("mark.active")).hasText(Story.QUOTE);
  }

  @Test
  void a_glance_at_the_passage_needs_no_click() throws Exception {
    Page page = rig.browser.desktop(rig.at(rig.told("What raises the tides?")));
    page.locator(".report .cite").first().hover();
    assertThat(page.locator(".glance")).containsText(Story.QUOTE);
    assertThat(page.locator(".glance")).containsText("Supported");
    page.keyboard().press("Escape");
    assertThat(page.locator(".glance")).isHidden();
    page.locator(".report .cite").nth(1).focus();
    page.keyboard().press("Shift+Tab");
    assertThat(page.locator(".glance")).containsText(Story.QUOTE);
    page.keyboard().press("Enter");
    assertThat(page.locator(".glance")).isHidden();
  }

  @Test
  void two_hundred_citations_are_read_one_by_one() throws Exception {
    Passage[] passages =
        IntStream.rangeClosed(1, CITATIONS)
            .mapToObj(i -> Story.passage("doc" + i + ".txt", "Title " + i, "", "Claim number " + i
                + " stands here."))
            .toArray(Passage[]::new);
    String answer =
        IntStream.rangeClosed(1, CITATIONS)
            .mapToObj(i -> "<cite id=\"S_" + i + "\">Claim number " + i + " stands here.</cite>")
            .collect(Collectors.joining("\n\n"));
    EpisodeId id = rig.begin("Two hundred?");
    rig.story(id).plan().search("all", passages).answer(Story.REVIEW, answer)
        .leaveUnchecked().complete(EpisodeOutcome.ANSWERED);
    Page page = rig.browser.phone(rig.at(id));
    assertThat(page.locator(".report .cite")).hasCount(CITATIONS);
    assertThat(page.locator(".references > ol > li")).hasCount(CITATIONS);
    assertThat(page.locator(".cited-sources li")).hasCount(4);
    assertThat(page.locator(".cited-sources li").last()).hasText("197 more");
    assertNarrow(page);
    page.navigate(rig.at("/research/" + id + "/source/S_200?claim=200"));
    assertThat(page.locator(".passage-number")).hasText("Citation 200");
    assertThat(button(page, "Next")).isDisabled();
    button(page, "Previous").click();
    assertThat(page.locator(".passage-number")).hasText("Citation 199");
  }

  @Test
  void a_huge_table_scrolls_by_itself() throws Exception {
    String head = "| " + "column_with_a_long_name | ".repeat(14) + "\n|" + "---|".repeat(14) + "\n";
    String rows = ("| " + "`autovacuum_freeze_max_age` | ".repeat(14) + "\n").repeat(120);
    EpisodeId id = rig.begin("A table?");
    rig.story(id).plan().search()
        .answer(
            Story.REVIEW,
            "<cite id=\"S_1\">" + Story.QUOTE + "</cite>\n\n" + head + rows + "\n\n`"
                + "a_name_without_any_place_to_break_it_".repeat(6) + "`")
        .check().complete(EpisodeOutcome.ANSWERED);
    Page page = rig.browser.phone(rig.at(id));
    assertThat(page.locator(".report tbody tr")).hasCount(120);
    assertNarrow(page);
    assertTrue((boolean) page.evaluate(
        "(() => { const w = document.querySelector('.wide'); return w.scrollWidth > w.clientWidth"
            + " && w.tabIndex === 0; })()"));
  }

  @Test
  void names_of_any_length_fit_a_phone() throws Exception {
    String title = "A title that goes on and on without an end that anybody could see ".repeat(4);
    EpisodeId id = rig.begin("Long names?");
    Story story =
        rig.story(id).plan().search(
            "tides", Story.passage("a".repeat(200) + ".txt", title, "", Story.PASSAGE),
            Story.passage("b.txt", "W" + "w".repeat(300), "https://" + "x".repeat(60) + ".example"
                + "/y".repeat(90), "The sun is far away."));
    Page page = rig.browser.phone(rig.at(id));
    assertThat(page.locator(".newest a")).hasCount(2);
    assertNarrow(page);
    story.answer().check().complete(EpisodeOutcome.ANSWERED);
    assertThat(page.locator(".cited-sources li")).hasCount(2);
    assertNarrow(page);
    page.locator(".report .cite").nth(1).click();
    assertThat(page.locator("mark.active")).isVisible();
    assertNarrow(page);
  }

  @Test
  void a_report_from_right_to_left_is_so_in_every_part() throws Exception {
    String claim = "القمر يرفع المد والجزر.";
    EpisodeId id = rig.begin("ما الذي يرفع المد والجزر؟ " + "سؤال طويل جدا ".repeat(400));
    rig.story(id).plan("- (3) يذكر سبب المد والجزر").search(
            "المد والجزر", Story.passage("المد.txt", "المد والجزر", "", claim + " وهذا كل شيء."))
        .answer("- يذكر سبب المد والجزر — met by S_1", "## القمر\n\n<cite id=\"S_1\">" + claim
            + "</cite>\n\n- المد\n- The tide.\n\n| المكان | الارتفاع |\n|---|---|\n| فندي | 16 m |\n")
        .leaveUnchecked().complete(EpisodeOutcome.ANSWERED);
    Page page = rig.browser.phone(rig.at(id));
    for (String part : new String[] {"h1", ".report p", ".report h2", ".criterion", ".ref-title"}) {
      assertEquals(
          "rtl",
          page.locator(part).first().evaluate("e => getComputedStyle(e).direction"), part);
    }
    for (String part : new String[] {".report li:last-child", ".report td:last-child"}) {
      assertEquals(
          "right plaintext",
          page.locator(part).first().evaluate(
              "e => getComputedStyle(e).textAlign + ' ' + getComputedStyle(e).unicodeBidi"),
          part);
    }
    for (String row : new String[] {".references > ol > li", ".uses > li", ".source-place"}) {
      assertEquals(
          true,
          page.locator(row).first().evaluate(
              "e => e.firstElementChild.getBoundingClientRect().left"
                  + " > e.lastElementChild.getBoundingClientRect().left"),
          row + " begins on the right");
    }
    String report = rig.edge.get("/v1/research/" + id + "/report?format=html").body();
    for (String line : page.locator(".unreadable li").allTextContents()) {
      assertTrue(report.contains("<bdi>" + line + "</bdi>"), line);
    }
    assertNarrow(page);
    page.locator(".report .cite").first().click();
    assertEquals(
        "rtl", page.locator(".passage-text").evaluate("e => getComputedStyle(e).direction"));
  }

  @Test
  void a_history_of_a_thousand_is_paged_searched_and_kept_by_day() throws Exception {
    try (PageRig full = new PageRig()) {
      for (int i = 1; i <= EPISODES; i++) {
        full.begin("Question " + i + (i == 3 ? " with a needle in it" : ""));
      }
      Page page = full.browser.phone(full.at("/research/history"));
      assertThat(page.locator(".rows li")).hasCount(20);
      assertThat(page.locator(".day")).hasCount(1);
      button(page, "Show more").click();
      assertThat(page.locator(".rows li")).hasCount(120);
      assertThat(page.locator(".row-link").nth(20)).isFocused();
      page.locator("#q").fill("NEEDLE");
      assertThat(page.locator(".row-question")).hasText(
          new String[] {"Question 3 with a needle in it"});
      assertThat(page.locator(".row-question mark")).hasText("needle");
      assertNarrow(page);
      full.browser.closePages();
    }
  }

  @Test
  void what_the_form_will_ask_for_is_seen_without_opening_anything() {
    Page page = rig.browser.desktop(rig.at("/"));
    assertThat(page.locator(".more-now")).hasText("Your documents · 10 searches · 10 min");
    assertThat(page.locator(".about")).containsText("Several paragraphs");
    page.getByLabel("Exact answer").check();
    assertThat(page.locator(".about")).containsText("A name, a number, a date");
    page.getByText("Sources and limits").click();
    page.locator("#searches").fill("1");
    page.locator("#seconds").fill("90");
    assertThat(page.locator(".more-now")).hasText("Your documents · 1 search · 1 min 30 s");
  }
}
