package rubricem.protocol.scaffold;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Follows a generation while it streams and finds where the turn ends: after the first {@code
 * </call_tool>}, {@code </call>} or {@code </answer>}, which stays in the text. Chunks may be cut
 * anywhere. What comes after the stop is dropped.
 *
 * <p>Inside an open think a stop text is content: a policy may quote a page there. A think that
 * turns out never to be closed has no such right: {@link #finish} then cuts at the first action
 * that stood complete in it, which is what the parser reads. One scanner serves one generation and
 * one thread; its memory is the turn's text, bounded by the request's token limit.
 */
public final class StopScanner {
  /** Deeper nesting is no scaffold; what is open below is enough for progress. */
  private static final int OPEN_MAX = 8;

  private final TagMachine machine = new TagMachine();
  private final StringBuilder text = new StringBuilder();
  private final Deque<ScaffoldTag> open = new ArrayDeque<>();
  private boolean insideThink;
  private boolean stopped;
  private boolean callInThink;
  private boolean answerInThink;
  private int stopInThink = -1;

  public StopScanner() {}

  /** For a service that has already written the start tag of think into the prompt. */
  public static StopScanner insideThink() {
    StopScanner scanner = new StopScanner();
    scanner.openThink();
    return scanner;
  }

  /** The part of {@code chunk} that belongs to the turn; nothing after the stop. */
  public String feed(String chunk) {
    int used = 0;
    while (used < chunk.length() && !stopped) {
      char c = chunk.charAt(used++);
      text.append(c);
      Tag tag = machine.next(c);
      if (tag != null) {
        onTag(tag);
      }
    }
    return chunk.substring(0, used);
  }

  private void onTag(Tag tag) {
    if (insideThink) {
      onTagInThink(tag);
    } else if (tag.opens(ScaffoldTag.THINK)) {
      openThink();
    } else if (tag.closing() && tag.kind().isAction()) {
      stop();
    } else if (tag.closing()) {
      close(tag.kind());
    } else if (open.size() < OPEN_MAX) {
      open.push(tag.kind());
    }
  }

  private void openThink() {
    insideThink = true;
    callInThink = false;
    answerInThink = false;
    stopInThink = -1;
    open.push(ScaffoldTag.THINK);
  }

  private void onTagInThink(Tag tag) {
    if (tag.closes(ScaffoldTag.THINK)) {
      insideThink = false;
      close(ScaffoldTag.THINK);
    } else if (!tag.closing()) {
      callInThink |= tag.kind() == ScaffoldTag.CALL_TOOL;
      answerInThink |= tag.kind() == ScaffoldTag.ANSWER;
    } else if (stopInThink < 0
        && (tag.kind() == ScaffoldTag.CALL_TOOL && callInThink
            || tag.kind() == ScaffoldTag.ANSWER && answerInThink)) {
      stopInThink = tag.to();
    }
  }

  private void close(ScaffoldTag kind) {
    if (open.contains(kind)) {
      while (open.pop() != kind) {
        continue;
      }
    }
  }

  private void stop() {
    stopped = true;
    open.clear();
  }

  /** Whether the turn is complete; the generation can be ended. */
  public boolean stopped() {
    return stopped;
  }

  /** The turn's text so far, up to and including the stop. */
  public String text() {
    return text.toString();
  }

  /** The stream is over: the turn's text. */
  public String finish() {
    if (!stopped && insideThink && stopInThink >= 0) {
      text.setLength(stopInThink);
      stop();
    }
    return text.toString();
  }

  /** The innermost element that is open now, for progress; inside a think always that. */
  public Optional<String> openTag() {
    return Optional.ofNullable(open.peek()).map(ScaffoldTag::label);
  }
}
