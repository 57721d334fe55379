package rubricem.gpu.supervised;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts an assistant's text at the elements that it did not write, tags included. Only whole
 * elements count: a tag without its other half makes the text ambiguous, and nothing is cut. Inside
 * an element nothing is looked for but its end.
 */
final class MaskedSpans {
  /** A stretch of the text and whether the assistant wrote it. */
  record Stretch(String text, boolean written) {}

  private final List<String> names;
  private final Pattern tag;

  MaskedSpans(List<String> names) {
    this.names = List.copyOf(names);
    tag = Pattern.compile("<(/?)(" + String.join("|", names) + ")(?=[\\s/>])[^>]*>");
  }

  boolean occurIn(String text) {
    return !names.isEmpty() && tag.matcher(text).find();
  }

  /** The stretches in order; empty where tags do not pair. */
  Optional<List<Stretch>> cut(String text) {
    List<Stretch> out = new ArrayList<>();
    int at = 0;
    if (!names.isEmpty()) {
      Matcher found = tag.matcher(text);
      while (found.find()) {
        if (!found.group(1).isEmpty()) {
          return Optional.empty();
        }
        int end = text.indexOf("</" + found.group(2) + ">", found.end());
        if (end < 0) {
          return Optional.empty();
        }
        end += found.group(2).length() + 3;
        add(out, text.substring(at, found.start()), true);
        add(out, text.substring(found.start(), end), false);
        at = end;
        found.region(at, text.length());
      }
    }
    add(out, text.substring(at), true);
    return Optional.of(out);
  }

  private static void add(List<Stretch> out, String text, boolean written) {
    if (!text.isEmpty()) {
      out.add(new Stretch(text, written));
    }
  }
}
