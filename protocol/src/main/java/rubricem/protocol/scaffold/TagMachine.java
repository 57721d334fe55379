package rubricem.protocol.scaffold;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognises the tags of the grammar, one character at a time, so that a whole text and a stream in
 * chunks of any size are read alike. Every character is looked at once: the time is linear in the
 * text, whatever it holds. It knows single tags only; what stands inside what is not its business.
 *
 * <p>A tag is {@code <}, an optional slash, a name without white space before it, and for a start
 * tag attributes up to {@code >}. A quoted value may hold {@code >}, and {@code <} unless a letter
 * or a slash follows: an unclosed quote thus cannot swallow the next tag.
 */
final class TagMachine {
  private enum State {
    TEXT,
    NAME,
    ATTRIBUTES,
    VALUE_AHEAD,
    VALUE,
    VALUE_LESS_THAN
  }

  private final StringBuilder name = new StringBuilder();
  private State state = State.TEXT;
  private boolean closing;
  private char quote;
  private int start;
  private int at;
  private @Nullable ScaffoldTag kind;

  static List<Tag> tags(String text) {
    TagMachine machine = new TagMachine();
    List<Tag> tags = new ArrayList<>();
    for (int i = 0; i < text.length(); i++) {
      Tag tag = machine.next(text.charAt(i));
      if (tag != null) {
        tags.add(tag);
      }
    }
    return tags;
  }

  /** Takes the next character; the tag that it completes, or null. */
  @Nullable Tag next(char c) {
    Tag tag = step(c);
    at++;
    return tag;
  }

  private @Nullable Tag step(char c) {
    switch (state) {
      case TEXT -> onText(c);
      case NAME -> {
        return onName(c);
      }
      case ATTRIBUTES, VALUE_AHEAD -> {
        return onAttributes(c);
      }
      case VALUE -> onValue(c);
      case VALUE_LESS_THAN -> onValueLessThan(c);
    }
    return null;
  }

  private void onText(char c) {
    if (c == '<') {
      begin(at);
    }
  }

  private void begin(int from) {
    state = State.NAME;
    start = from;
    closing = false;
    name.setLength(0);
  }

  private @Nullable Tag onName(char c) {
    if (ScaffoldTag.isNameChar(c) && name.length() < ScaffoldTag.NAME_MAX) {
      name.append(c);
    } else if (c == '<') {
      begin(at);
    } else if (c == '/' && name.isEmpty() && !closing) {
      closing = true;
    } else {
      kind = c == '>' || isSpace(c) ? ScaffoldTag.of(name, closing) : null;
      state = kind == null ? State.TEXT : State.ATTRIBUTES;
      return kind != null && c == '>' ? finish() : null;
    }
    return null;
  }

  private @Nullable Tag onAttributes(char c) {
    if (c == '>') {
      return finish();
    }
    if (c == '<') {
      begin(at);
    } else if (isSpace(c)) {
      return null;
    } else if (closing) {
      state = State.TEXT;
    } else if (state == State.VALUE_AHEAD && (c == '"' || c == '\'')) {
      quote = c;
      state = State.VALUE;
    } else {
      state = c == '=' ? State.VALUE_AHEAD : State.ATTRIBUTES;
    }
    return null;
  }

  private void onValue(char c) {
    if (c == quote) {
      state = State.ATTRIBUTES;
    } else if (c == '<') {
      state = State.VALUE_LESS_THAN;
    }
  }

  private void onValueLessThan(char c) {
    if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '/') {
      begin(at - 1);
      onName(c);
    } else if (c != '<') {
      state = c == quote ? State.ATTRIBUTES : State.VALUE;
    }
  }

  private @Nullable Tag finish() {
    state = State.TEXT;
    return kind == null ? null : new Tag(kind, closing, start, at + 1);
  }

  static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
  }
}
