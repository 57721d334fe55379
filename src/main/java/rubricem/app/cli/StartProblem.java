package rubricem.app.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import rubricem.app.node.PekkoKeys;
import rubricem.app.node.SystemUnstartable;

/**
 * Which key a person has to mend where Pekko does not start. Pekko checks nothing beforehand and
 * fails in the words of whatever it was about to make, so the key is looked for: among those that
 * somebody set, first the ones that the failure names, then those whose value it names, then all.
 * Where nobody set any the fault is none of the configuration.
 */
final class StartProblem {
  /** More keys than these nobody mends at once, and a line has an end. */
  private static final int NAMED = 4;

  /** Pekko quotes whole sections now and then. */
  private static final int REASON_CHARS = 160;

  /** What whoever comes too late hears of a system that an actor of it has ended. */
  private static final String ENDED = "while terminating or terminated";

  private StartProblem() {}

  static Optional<String> of(SystemUnstartable failure) {
    return of(failure.config(), failure.getCause());
  }

  static Optional<String> of(Config config, Throwable cause) {
    Map<String, ConfigValue> given = PekkoKeys.given(config);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    List<Throwable> chain = chain(cause);
    List<String> keys = blamed(given, chain);
    String named =
        String.join(
            ", ",
            keys.stream().limit(NAMED).map(k -> k + UserConfig.at(given.get(k).origin()))
                .toList());
    String more = keys.size() > NAMED ? " and " + (keys.size() - NAMED) + " others" : "";
    return Optional.of(
        (keys.size() == 1 ? "The configuration key " : "One of the configuration keys ") + named
            + more + " cannot be used: RubricEM does not start with it: " + reason(chain)
            + ". Correct it, or remove it for the default.");
  }

  private static List<String> blamed(Map<String, ConfigValue> given, List<Throwable> chain) {
    String said = String.join("\n", chain.stream().map(Throwable::getMessage).toList());
    BiPredicate<String, ConfigValue> line = (key, value) -> stands(value.origin(), chain);
    BiPredicate<String, ConfigValue> name =
        (key, value) -> PekkoKeys.around(key).stream().limit(2).anyMatch(k -> has(said, k));
    BiPredicate<String, ConfigValue> end = (key, value) -> has(said, end(key));
    BiPredicate<String, ConfigValue> content =
        (key, value) -> has(said, String.valueOf(value.unwrapped()));
    for (BiPredicate<String, ConfigValue> sign : List.of(line, name, end, content)) {
      List<String> found =
          given.entrySet().stream()
              .filter(entry -> sign.test(entry.getKey(), entry.getValue()))
              .map(Map.Entry::getKey).toList();
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.copyOf(given.keySet());
  }

  /** Pekko shortens: {@code canonical.port}, or {@code tick-duration}, which is no plain word. */
  private static String end(String key) {
    List<String> parts = ConfigUtil.splitPath(key);
    return parts.getLast().contains("-")
        ? parts.getLast()
        : ConfigUtil.joinPath(parts.subList(Math.max(0, parts.size() - 2), parts.size()));
  }

  private static boolean stands(ConfigOrigin origin, List<Throwable> chain) {
    return chain.stream().anyMatch(
        failure ->
            failure instanceof ConfigException refused && refused.origin() != null
                && refused.origin().description().equals(origin.description()));
  }

  private static boolean has(String said, String word) {
    return Pattern.compile("(?<![\\w.-])" + Pattern.quote(word) + "(?![\\w-])")
        .matcher(said).find();
  }

  private static List<Throwable> chain(Throwable cause) {
    List<Throwable> chain = new ArrayList<>();
    for (Throwable at = cause; at != null && !chain.contains(at); at = at.getCause()) {
      if (at.getMessage() != null && !at.getMessage().isBlank()) {
        chain.add(at);
      }
    }
    return chain;
  }

  /** The innermost words: those around them only say where it happened. */
  private static String reason(List<Throwable> chain) {
    if (chain.isEmpty()) {
      return "Pekko gives no reason";
    }
    Throwable inmost = chain.getLast();
    String words =
        switch (inmost) {
          case ClassNotFoundException absent -> "there is no class " + absent.getMessage();
          case NoClassDefFoundError absent -> "there is no class " + absent.getMessage();
          case ConfigException refused -> without(refused);
          case IllegalStateException late when late.getMessage().contains(ENDED) ->
              "the actor system ended while it started, for a reason that the log in the data"
                  + " folder has";
          default -> inmost.getMessage();
        };
    return TerminalText.line(words.replaceAll("[\\s.]+$", ""), REASON_CHARS);
  }

  /** The key has its line already, and Pekko's own ones say it in more than one way. */
  private static String without(ConfigException refused) {
    String said = String.valueOf(refused.getMessage());
    String origin = refused.origin() == null ? "" : refused.origin().description() + ": ";
    return said.startsWith(origin)
        ? said.substring(origin.length()).replaceFirst("^\\S+: \\d+: ", "")
        : said;
  }
}
