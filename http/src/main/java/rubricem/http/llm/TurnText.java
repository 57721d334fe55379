package rubricem.http.llm;

import java.util.List;
import java.util.Optional;

/**
 * Makes the stored turn text out of what a server delivered: one leading {@code <think>}, wherever
 * the thinking came from, then the text, with the stop text that servers strip put back. Whatever
 * way the thinking took, the stored text is the same.
 *
 * @param text the turn as it is stored
 * @param thinking what stands in its {@code <think>}
 */
record TurnText(String text, Optional<String> thinking) {
  private static final String OPEN = "<think>";
  private static final String CLOSE = "</think>";
  private static final String CALL = "<call_tool";
  private static final String ANSWER = "<answer>";

  /** @param beside thinking that came in a field of its own; blank where there was none */
  static TurnText of(String content, String beside) {
    String body = content.stripLeading();
    if (body.startsWith(OPEN)) {
      int close = body.indexOf(CLOSE);
      return close < 0
          ? new TurnText(body, Optional.of(body.substring(OPEN.length()).strip()))
          : joined(body.substring(OPEN.length(), close), body.substring(close + CLOSE.length()));
    }
    if (!beside.isBlank()) {
      return joined(beside, body);
    }
    int close = body.indexOf(CLOSE);
    // some chat templates open the tag in the prompt, so that only its end is generated
    return close >= 0
        ? joined(body.substring(0, close), body.substring(close + CLOSE.length()))
        : new TurnText(body, Optional.empty());
  }

  private static TurnText joined(String thinking, String rest) {
    String inner = thinking.strip().replace(CLOSE, "&lt;/think&gt;").replace(OPEN, "&lt;think&gt;");
    String tail = rest.stripLeading();
    String text = OPEN + inner + CLOSE + (tail.isEmpty() ? "" : "\n" + tail);
    return new TurnText(text, Optional.of(inner).filter(t -> !t.isEmpty()));
  }

  boolean endsWithAny(List<String> stops) {
    String end = text.stripTrailing();
    return stops.stream().anyMatch(end::endsWith);
  }

  /**
   * This turn with the stop text that ended it.
   *
   * @param matched the stop text that the server names, where it names one
   */
  TurnText closed(List<String> stops, Optional<String> matched) {
    if (endsWithAny(stops)) {
      return this;
    }
    String end = matched.filter(stops::contains).or(this::openElement).orElse("");
    return stops.contains(end) ? new TurnText(text + end, thinking) : this;
  }

  /** This turn without an action that was begun in the text and never closed. */
  TurnText withoutOpenElement() {
    int from = openFrom();
    return from < 0 ? this : new TurnText(text.substring(0, from).stripTrailing(), thinking);
  }

  private Optional<String> openElement() {
    int from = openFrom();
    return from < 0
        ? Optional.empty()
        : Optional.of(text.startsWith(CALL, from) ? "</call_tool>" : "</answer>");
  }

  private int openFrom() {
    // an action in a think that was never closed still counts, as the parser has it
    int think = Math.max(0, text.startsWith(OPEN) ? text.indexOf(CLOSE) : 0);
    int from = Math.max(text.lastIndexOf(CALL), text.lastIndexOf(ANSWER));
    return from < think ? -1 : from;
  }

  TurnText followedBy(String action) {
    return new TurnText(text.isEmpty() ? action : text.stripTrailing() + "\n" + action, thinking);
  }
}
