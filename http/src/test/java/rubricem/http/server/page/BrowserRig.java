package rubricem.http.server.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The machine's own Chromium. Whatever a page throws or its content policy forbids is collected,
 * and closing the rig fails on it; what the network does is the tests' own business.
 */
public final class BrowserRig implements AutoCloseable {
  public static final int PHONE = 360;
  static final int DESKTOP = 1_280;
  private static final int HEIGHT = 900;

  private final Playwright playwright;
  private final Browser browser;
  private final List<BrowserContext> contexts = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  public BrowserRig() {
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright.chromium().launch(
            new BrowserType.LaunchOptions()
                .setExecutablePath(
                    ChromiumPresent.path()
                        .orElseThrow(
                            () ->
                                new AssertionError(
                                    "RUBRICEM_REQUIRE_BROWSER is set and there is no Chromium:"
                                        + " apt-get install chromium"))));
  }

  public Page desktop(String address) {
    return open(address, DESKTOP, ColorScheme.LIGHT);
  }

  public Page phone(String address) {
    return open(address, PHONE, ColorScheme.LIGHT);
  }

  /** A page of a browser that has never been here. */
  public Page open(String address, int width, ColorScheme scheme) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions().setViewportSize(width, HEIGHT).setColorScheme(scheme)
                .setReducedMotion(ReducedMotion.REDUCE));
    contexts.add(context);
    Page page = context.newPage();
    page.onPageError(faults::add);
    page.onConsoleMessage(
        message -> {
          boolean network = message.text().startsWith("Failed to load resource");
          if (message.type().equals("error") && !network) {
            faults.add(message.text());
          }
        });
    page.navigate(address);
    return page;
  }

  /** Closes what a test opened; every test ends with it. */
  public void closePages() {
    contexts.forEach(BrowserContext::close);
    contexts.clear();
    assertEquals(List.of(), takeFaults());
  }

  /** What went wrong until now; forgotten by being asked for. */
  public List<String> takeFaults() {
    List<String> taken = List.copyOf(faults);
    faults.clear();
    return taken;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
