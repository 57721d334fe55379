package rubricem.http.server.page;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.regex.Pattern;
import rubricem.http.server.EdgeRig;
import rubricem.http.server.EdgeSettings;
import rubricem.protocol.EpisodeId;

/** A server over episodes in memory, and a browser in front of it. */
final class PageRig implements AutoCloseable {
  final BrowserRig browser = new BrowserRig();
  final EdgeRig edge;

  PageRig() throws Exception {
    edge = new EdgeRig();
  }

  PageRig(EdgeSettings settings) throws Exception {
    edge = new EdgeRig(settings, EdgeRig::doors);
  }

  String at(String path) {
    return edge.uri(path).toString();
  }

  String at(EpisodeId id) {
    return at("/research/" + id);
  }

  EpisodeId begin(String question) throws Exception {
    String body = EdgeRig.JSON.createObjectNode().put("question", question).toString();
    return new EpisodeId(EdgeRig.json(edge.post("/v1/research", body)).get("id").asText());
  }

  Story story(EpisodeId id) {
    return new Story(edge.world, id);
  }

  /** An episode that has been told to its end. */
  EpisodeId told(String question) throws Exception {
    EpisodeId id = begin(question);
    story(id).whole();
    return id;
  }

  static EpisodeId shownBy(Page page) {
    page.waitForURL(Pattern.compile(".*/research/e[0-9a-z]{26}$"));
    return new EpisodeId(page.url().substring(page.url().lastIndexOf('/') + 1));
  }

  static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  /** Presses Tab until something that fits has the focus, as somebody without a mouse does. */
  static void tabTo(Page page, String selector) {
    for (int presses = 0; presses < 80; presses++) {
      if ((boolean) page.evaluate("s => document.activeElement.matches(s)", selector)) {
        return;
      }
      page.keyboard().press("Tab");
    }
    throw new AssertionError("Tab never came to " + selector);
  }

  /** What a reader sees of what happened. */
  static List<String> timeline(Page page) {
    return page.locator(".timeline > li").allInnerTexts();
  }

  @Override
  public void close() {
    browser.close();
    edge.close();
  }
}
