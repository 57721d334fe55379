package rubricem.http.server;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What may stand in {@code rubricem.server.hosts} and {@code rubricem.server.origins}. An entry
 * that no browser ever sends would be taken and match nothing: it is told what to write instead.
 */
public final class NameSyntax {
  private static final String HOST = "([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*|\\[[0-9A-Fa-f:.]+])";
  private static final Pattern NAME = Pattern.compile(HOST);
  private static final Pattern ORIGIN =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://" + HOST + "(:[0-9]{1,5})?");
  private static final Pattern ADDRESS =
      Pattern.compile("(([A-Za-z][A-Za-z0-9+.-]*)://" + HOST + "(:[0-9]{1,5})?)/.*");

  private NameSyntax() {}

  /** What is wrong with a name in {@code hosts}; empty where nothing is. */
  public static Optional<String> host(String name) {
    return NAME.matcher(name.strip()).matches()
        ? Optional.empty()
        : Optional.of(
            "\"" + name + "\" is no name of a host. Write each name alone, such as \"lab.example\","
                + " without https://, port or path; there is no entry for all of them");
  }

  /** What is wrong with an entry of {@code origins}; empty where nothing is. */
  public static Optional<String> origin(String text) {
    String origin = text.strip();
    Matcher match = ORIGIN.matcher(origin);
    if (match.matches()) {
      String usual = withoutUsualPort(match);
      return usual.equals(origin)
          ? Optional.empty()
          : Optional.of(
              is(text, "has the usual port, which browsers leave away")
                  + "Write \"" + usual + "\"");
    }
    Matcher address = ADDRESS.matcher(origin);
    if (address.matches()) {
      Matcher bare = ORIGIN.matcher(address.group(1));
      return Optional.of(
          is(text, "has something behind the host, which browsers leave away") + "Write \""
              + (bare.matches() ? withoutUsualPort(bare) : address.group(1)) + "\"");
    }
    return Optional.of(
        is(text, "is no origin")
            + "Write each one, such as \"https://lab.example\" or \"http://lab.example:3000\";"
            + " there is no entry for all of them");
  }

  /** As it is, or without a port that its scheme has anyway. */
  private static String withoutUsualPort(Matcher origin) {
    String scheme = origin.group(1).toLowerCase(Locale.ROOT);
    String port = origin.group(4) == null ? "" : origin.group(4);
    boolean usual =
        scheme.equals("https") && port.equals(":443")
            || scheme.equals("http") && port.equals(":80");
    return usual ? origin.group(1) + "://" + origin.group(2) : origin.group();
  }

  private static String is(String text, String what) {
    return "\"" + text + "\" " + what + ". ";
  }
}
