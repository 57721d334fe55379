package rubricem.protocol.scaffold;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the elements of one generated text stand: thinks, parts, and the action that ends it. The
 * parser and the stage spans read the same layout, so they never disagree. What stands inside a
 * closed think or a closed part is content, whatever it looks like. The action is the first end tag
 * of a call or an answer outside those that has a start tag, together with the last such start tag.
 */
final class TurnLayout {
  /**
   * An element from its start tag to its end tag; without an end tag, to where the next begins.
   *
   * @param tags the tags inside it
   */
  record Element(
      ScaffoldTag kind,
      int from,
      int contentFrom,
      int contentTo,
      int to,
      boolean closed,
      List<Tag> tags) {
    String content(String text) {
      return text.substring(contentFrom, contentTo);
    }
  }

  /** The action; {@code start} is the start tag, attributes and all. */
  record Action(Tag start, Element element, boolean nested) {}

  /** Thinks and parts before the action, in the order of the text. */
  final List<Element> elements = new ArrayList<>();

  /** Tags at the top that belong to no element, before the end of the action. */
  final List<Tag> stray = new ArrayList<>();

  Optional<Action> action = Optional.empty();

  /** Whether a tool output was written where it counts: before the action's end. */
  boolean toolOutput;

  /** Whether one was written behind a complete action. */
  boolean toolOutputAfterAction;

  private final String text;
  private final List<Tag> tags;
  private final int[] nextEnd;
  private final int[] nextActionEnd;
  private final List<Tag> openActions = new ArrayList<>();
  private final List<Tag> toolOutputs = new ArrayList<>();

  private TurnLayout(String text) {
    this.text = text;
    this.tags = TagMachine.tags(text);
    this.nextEnd = new int[tags.size()];
    this.nextActionEnd = new int[tags.size()];
  }

  static TurnLayout of(String text) {
    TurnLayout layout = new TurnLayout(text);
    layout.lookAhead();
    layout.walk(layout.impliedThink());
    layout.close();
    return layout;
  }

  /** For every tag, the next end tag of its kind and the next end tag of an action. */
  private void lookAhead() {
    Map<ScaffoldTag, Integer> next = new EnumMap<>(ScaffoldTag.class);
    int action = tags.size();
    for (int i = tags.size() - 1; i >= 0; i--) {
      Tag tag = tags.get(i);
      nextEnd[i] = next.getOrDefault(tag.kind(), tags.size());
      nextActionEnd[i] = action;
      if (tag.closing()) {
        next.put(tag.kind(), i);
        action = tag.kind().isAction() ? i : action;
      }
    }
  }

  /** A service may have written the start tag of think into the prompt; the tag to go on with. */
  private int impliedThink() {
    for (int i = 0; i < tags.size(); i++) {
      Tag tag = tags.get(i);
      if (tag.closes(ScaffoldTag.THINK)) {
        elements.add(
            new Element(
                ScaffoldTag.THINK, 0, 0, tag.from(), tag.to(), true, List.of()));
        return i + 1;
      }
      if (tag.kind() == ScaffoldTag.THINK || tag.closing() && tag.kind().isAction()) {
        return 0;
      }
    }
    return 0;
  }

  private void walk(int first) {
    int i = first;
    while (i < tags.size() && action.isEmpty()) {
      Tag tag = tags.get(i);
      if (tag.opens(ScaffoldTag.THINK)) {
        i = think(i);
      } else if (!tag.closing() && tag.kind().isPart()) {
        i = part(i);
      } else {
        single(tag);
        i++;
      }
    }
  }

  private int think(int i) {
    int end = nextEnd[i];
    if (end < tags.size()) {
      add(i, end);
      return end + 1;
    }
    int next = afterUnclosedThink(i);
    addOpen(i, next);
    return next;
  }

  /**
   * A think that is never closed ends where the next part or an answer begins; without one before
   * the first end of an action, it ends at the call which that tag closes.
   */
  private int afterUnclosedThink(int i) {
    int limit = nextActionEnd[i];
    int lastCall = tags.size();
    for (int j = i + 1; j < limit; j++) {
      Tag tag = tags.get(j);
      if (!tag.closing() && (tag.kind().isPart() || tag.kind() == ScaffoldTag.ANSWER)) {
        return j;
      }
      lastCall = tag.opens(ScaffoldTag.CALL_TOOL) ? j : lastCall;
    }
    return lastCall < tags.size() ? lastCall : limit;
  }

  private int part(int i) {
    int end = nextEnd[i];
    if (end < tags.size() && end < nextActionEnd[i]) {
      add(i, end);
      return end + 1;
    }
    int next = i + 1;
    while (next < tags.size() && !endsOpenPart(tags.get(next), tags.get(i).kind())) {
      next++;
    }
    if (next < tags.size() && tags.get(next).closes(tags.get(i).kind())) {
      add(i, next);
      return next + 1;
    }
    addOpen(i, next);
    return next;
  }

  private static boolean endsOpenPart(Tag tag, ScaffoldTag part) {
    return tag.closes(part)
        || !tag.closing()
            && (tag.kind().isPart() || tag.kind().isAction() || tag.kind() == ScaffoldTag.THINK
                || tag.kind() == ScaffoldTag.TOOL_OUTPUT);
  }

  private void add(int i, int end) {
    Tag start = tags.get(i);
    Tag stop = tags.get(end);
    elements.add(
        new Element(
            start.kind(), start.from(), start.to(), stop.from(), stop.to(), true,
            tags.subList(i + 1, end)));
  }

  private void addOpen(int i, int next) {
    Tag start = tags.get(i);
    int to = next < tags.size() ? tags.get(next).from() : text.length();
    elements.add(
        new Element(
            start.kind(), start.from(), start.to(), to, to, false, tags.subList(i + 1, next)));
  }

  private void single(Tag tag) {
    if (tag.closing() && tag.kind().isAction()) {
      endAction(tag);
    } else if (!tag.closing() && tag.kind().isAction()) {
      openActions.add(tag);
    } else if (tag.opens(ScaffoldTag.TOOL_OUTPUT)) {
      toolOutputs.add(tag);
    } else if (tag.kind() != ScaffoldTag.TOOL_OUTPUT || toolOutputs.isEmpty()) {
      stray.add(tag);
    }
  }

  private void endAction(Tag end) {
    for (int k = openActions.size() - 1; k >= 0; k--) {
      if (openActions.get(k).kind() == end.kind()) {
        takeAction(k, end.from(), end.to(), true);
        return;
      }
    }
    stray.add(end);
  }

  /** Without an end tag the last start tag is the action that was cut. */
  private void close() {
    if (action.isEmpty() && !openActions.isEmpty()) {
      takeAction(openActions.size() - 1, text.length(), text.length(), false);
    }
    int start = action.map(a -> a.element().from()).orElse(text.length());
    boolean answers = action.filter(a -> a.start().kind() == ScaffoldTag.ANSWER).isPresent();
    toolOutput = toolOutputs.stream().anyMatch(t -> !answers || t.from() < start);
    int end = action.map(a -> a.element().to()).orElse(text.length());
    toolOutputAfterAction =
        tags.stream().anyMatch(t -> t.from() >= end && t.opens(ScaffoldTag.TOOL_OUTPUT));
    elements.removeIf(e -> e.from() > start);
    stray.removeIf(t -> t.from() > start);
    stray.sort(Comparator.comparingInt(Tag::from));
  }

  private void takeAction(int k, int contentTo, int to, boolean closed) {
    Tag start = openActions.remove(k);
    boolean nested = false;
    for (Tag other : openActions) {
      if (start.kind() == ScaffoldTag.CALL_TOOL && other.kind() == ScaffoldTag.CALL_TOOL) {
        nested = true;
      } else {
        stray.add(other);
      }
    }
    Element element =
        new Element(
            start.kind(), start.from(), start.to(), contentTo, to, closed, List.of());
    action = Optional.of(new Action(start, element, nested));
  }
}
