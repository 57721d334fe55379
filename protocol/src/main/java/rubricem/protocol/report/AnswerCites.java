package rubricem.protocol.report;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code <cite id="S_1">claim</cite>} out of an answer. It takes every form policies write:
 * {@code id} or {@code ids}, any quotes or none, ids parted by commas or blanks, cites in cites,
 * cites never closed. It accepts any text, throws never and takes time linear in its length. It
 * does not know which ids exist; {@link CitationBinding} does.
 */
public final class AnswerCites {
  /** A tag longer than this is text; the longest real one names a few dozen ids. */
  private static final int TAG_MAX = 2_000;

  /** More sources than this behind one claim is noise, and the marker would fill a line. */
  private static final int IDS_MAX = 32;

  private static final String QUOTES = "\"'“”„‘’`«»";

  /** @param empty opens and closes in one: {@code <cite …/>} */
  private record Tag(int from, int to, boolean closes, boolean empty, List<String> ids) {}

  private AnswerCites() {}

  public static ParsedAnswer parse(String answer) {
    List<Tag> tags = tags(answer);
    return new Reader(answer, tags, partners(tags)).read();
  }

  private static List<Tag> tags(String text) {
    List<Tag> tags = new ArrayList<>();
    int at = text.indexOf('<');
    while (at >= 0) {
      Tag tag = tagAt(text, at);
      if (tag != null) {
        tags.add(tag);
      }
      at = text.indexOf('<', tag == null ? at + 1 : tag.to);
    }
    return tags;
  }

  private static @Nullable Tag tagAt(String text, int from) {
    int name = from + 1;
    boolean closes = name < text.length() && text.charAt(name) == '/';
    name += closes ? 1 : 0;
    if (!text.regionMatches(true, name, "cite", 0, 4)) {
      return null;
    }
    int rest = name + 4;
    if (rest >= text.length() || !endsName(text.charAt(rest))) {
      return null;
    }
    int end = endOfTag(text, rest);
    if (end < 0) {
      return null;
    }
    List<String> ids = closes ? List.of() : ids(text.substring(rest, end - 1));
    return new Tag(from, end, closes, !closes && text.charAt(end - 2) == '/', ids);
  }

  private static boolean endsName(char c) {
    return c == '>' || c == '/' || Character.isWhitespace(c);
  }

  private static int endOfTag(String text, int from) {
    int stop = Math.min(text.length(), from + TAG_MAX);
    for (int i = from; i < stop; i++) {
      char c = text.charAt(i);
      if (c == '>') {
        return i + 1;
      }
      if (c == '<') {
        return -1;
      }
    }
    return -1;
  }

  /** The ids of a tag's attributes: everything after {@code id=}, up to its quote's end. */
  private static List<String> ids(String attributes) {
    String lower = attributes.toLowerCase(Locale.ROOT);
    if (lower.length() != attributes.length()) {
      lower = attributes;
    }
    for (int at = lower.indexOf("id"); at >= 0; at = lower.indexOf("id", at + 1)) {
      boolean starts = at == 0 || !Character.isLetterOrDigit(lower.charAt(at - 1));
      int i = at + 2;
      i += i < lower.length() && lower.charAt(i) == 's' ? 1 : 0;
      i = skipBlanks(lower, i);
      if (starts && i < lower.length() && lower.charAt(i) == '=') {
        return split(value(attributes, skipBlanks(attributes, i + 1)));
      }
    }
    return List.of();
  }

  private static String value(String attributes, int from) {
    if (from < attributes.length() && QUOTES.indexOf(attributes.charAt(from)) >= 0) {
      for (int i = from + 1; i < attributes.length(); i++) {
        if (QUOTES.indexOf(attributes.charAt(i)) >= 0) {
          return attributes.substring(from + 1, i);
        }
      }
      return attributes.substring(from + 1);
    }
    int next = attributes.indexOf('=', from);
    if (next < 0) {
      return attributes.substring(from);
    }
    int word = next;
    while (word > from && !Character.isWhitespace(attributes.charAt(word - 1))) {
      word--;
    }
    return attributes.substring(from, word);
  }

  private static List<String> split(String value) {
    Set<String> ids = new LinkedHashSet<>();
    StringBuilder id = new StringBuilder();
    for (int i = 0; i <= value.length(); i++) {
      char c = i < value.length() ? value.charAt(i) : ' ';
      boolean parts = Character.isWhitespace(c) || ",;|/，、".indexOf(c) >= 0;
      if (!parts && QUOTES.indexOf(c) < 0 && "[]()".indexOf(c) < 0) {
        id.append(c);
      } else if (parts && !id.isEmpty() && ids.size() < IDS_MAX) {
        ids.add(id.toString());
        id.setLength(0);
      }
    }
    return List.copyOf(ids);
  }

  private static int skipBlanks(String text, int from) {
    int i = from;
    while (i < text.length() && Character.isWhitespace(text.charAt(i))) {
      i++;
    }
    return i;
  }

  /** For each tag the index of the tag that closes it, or -1: never closed, or closes nothing. */
  private static int[] partners(List<Tag> tags) {
    int[] partners = new int[tags.size()];
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < partners.length; i++) {
      Tag tag = tags.get(i);
      partners[i] = -1;
      if (!tag.closes && !tag.empty) {
        open.push(i);
      } else if (tag.closes && !open.isEmpty()) {
        partners[open.pop()] = i;
      }
    }
    return partners;
  }

  /** Where a claim nobody closed ends: with its sentence or its line. */
  private static int endOfSentence(String text, int from, int stop) {
    for (int i = from; i < stop; i++) {
      char c = text.charAt(i);
      if (c == '\n' && i > from) {
        return i;
      }
      if ("。！？".indexOf(c) >= 0) {
        return i + 1;
      }
      boolean last = i + 1 >= stop || Character.isWhitespace(text.charAt(i + 1));
      if (last && ".!?؟।".indexOf(c) >= 0) {
        return i + 1;
      }
    }
    return stop;
  }

  private static final class Reader {
    private final String text;
    private final List<Tag> tags;
    private final int[] partners;
    private final List<AnswerSegment> segments = new ArrayList<>();
    private final StringBuilder plain = new StringBuilder();
    private int empty;

    Reader(String text, List<Tag> tags, int[] partners) {
      this.text = text;
      this.tags = tags;
      this.partners = partners;
    }

    ParsedAnswer read() {
      int at = 0;
      int tag = 0;
      while (tag < tags.size()) {
        Tag opening = tags.get(tag);
        plain.append(text, at, opening.from);
        if (opening.closes || opening.empty) {
          empty += opening.empty ? 1 : 0;
          at = opening.to;
          tag++;
        } else if (partners[tag] >= 0) {
          at = closed(tag, partners[tag]);
          tag = partners[tag] + 1;
        } else {
          int stop = tag + 1 < tags.size() ? tags.get(tag + 1).from : text.length();
          at = endOfSentence(text, opening.to, stop);
          cited(text.substring(opening.to, at), opening.ids);
          tag++;
        }
      }
      plain.append(text, at, text.length());
      flush();
      return new ParsedAnswer(List.copyOf(segments), empty);
    }

    /** One claim, whatever cites stand inside it; it rests on the ids of all of them. */
    private int closed(int first, int last) {
      StringBuilder claim = new StringBuilder();
      Set<String> ids = new LinkedHashSet<>(tags.get(first).ids);
      for (int i = first; i < last; i++) {
        ids.addAll(tags.get(i).ids);
        claim.append(text, tags.get(i).to, tags.get(i + 1).from);
      }
      cited(claim.toString(), ids.stream().limit(IDS_MAX).toList());
      return tags.get(last).to;
    }

    private void cited(String claim, List<String> ids) {
      if (claim.isBlank() || ids.isEmpty()) {
        empty++;
        plain.append(claim);
        return;
      }
      flush();
      segments.add(new AnswerSegment.Cited(claim, ids));
    }

    private void flush() {
      if (!plain.isEmpty()) {
        segments.add(new AnswerSegment.Plain(plain.toString()));
        plain.setLength(0);
      }
    }
  }
}
