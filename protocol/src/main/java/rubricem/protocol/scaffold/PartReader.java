package rubricem.protocol.scaffold;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import rubricem.protocol.scaffold.TurnLayout.Element;

/**
 * Reads what stands before the action of a turn: think, plan, state evaluation, review. Notes what
 * is missing, unclosed, doubled, out of order or astray; whether a turn needs a part is the
 * parser's business.
 */
final class PartReader {
  static final Plan NO_PLAN = new Plan(Optional.empty(), Optional.empty(), Optional.empty());

  private static final Set<ScaffoldTag> PLAN =
      EnumSet.of(ScaffoldTag.DEEP_ANALYSIS, ScaffoldTag.RUBRIC, ScaffoldTag.RESEARCH_PLAN);

  private static final Set<ScaffoldTag> REVIEW =
      EnumSet.of(ScaffoldTag.RUBRIC_REVIEW, ScaffoldTag.WRITING_PLAN);

  private final String text;
  private final TurnLayout layout;
  private final ScaffoldParser.Violations violations;

  PartReader(String text, TurnLayout layout, ScaffoldParser.Violations violations) {
    this.text = text;
    this.layout = layout;
    this.violations = violations;
  }

  /** The first think; without one, the text that the turn begins with. */
  String think() {
    List<Element> thinks = elements(ScaffoldTag.THINK);
    String think = thinks.isEmpty() ? leadingText() : thinks.getFirst().content(text);
    violations.addIf(thinks.isEmpty() || think.isBlank(), new ScaffoldViolation.MissingThink());
    return ScaffoldText.read(think);
  }

  private String leadingText() {
    return text.substring(0, firstElement()).strip();
  }

  private int firstElement() {
    int first = layout.action.map(a -> a.element().from()).orElse(text.length());
    first = layout.elements.isEmpty() ? first : layout.elements.getFirst().from();
    return layout.stray.isEmpty() ? first : Math.min(first, layout.stray.getFirst().from());
  }

  Optional<Plan> plan() {
    Optional<Plan> plan = Optional.empty();
    List<Element> found = elements(ScaffoldTag.STRUCTURED_PLAN);
    for (Element element : found.isEmpty() ? loose(ScaffoldTag.STRUCTURED_PLAN, PLAN) : found) {
      Plan read = planOf(element);
      plan = Optional.of(plan.map(p -> p.revisedBy(read)).orElse(read));
    }
    return plan;
  }

  private Plan planOf(Element element) {
    Map<ScaffoldTag, String> parts = children(element, PLAN);
    if (parts.isEmpty() && !element.content(text).isBlank()) {
      parts.put(ScaffoldTag.RESEARCH_PLAN, ScaffoldText.read(element.content(text)));
    }
    return new Plan(
        Optional.ofNullable(parts.get(ScaffoldTag.DEEP_ANALYSIS)),
        Optional.ofNullable(parts.get(ScaffoldTag.RUBRIC)),
        Optional.ofNullable(parts.get(ScaffoldTag.RESEARCH_PLAN)));
  }

  Optional<String> stateEvaluation() {
    List<Element> found = elements(ScaffoldTag.STATE_EVALUATION);
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(ScaffoldText.read(found.getLast().content(text)));
  }

  Optional<Review> review() {
    List<Element> found = elements(ScaffoldTag.REVIEW);
    found = found.isEmpty() ? loose(ScaffoldTag.REVIEW, REVIEW) : found;
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Element element = found.getLast();
    Map<ScaffoldTag, String> parts = children(element, REVIEW);
    if (parts.isEmpty()) {
      parts.put(ScaffoldTag.RUBRIC_REVIEW, ScaffoldText.read(element.content(text)));
    }
    return Optional.of(
        new Review(
            parts.getOrDefault(ScaffoldTag.RUBRIC_REVIEW, ""),
            parts.getOrDefault(ScaffoldTag.WRITING_PLAN, "")));
  }

  private List<Element> elements(ScaffoldTag kind) {
    List<Element> found = new ArrayList<>();
    for (Element element : layout.elements) {
      if (element.kind() == kind) {
        found.add(element);
      }
    }
    String tag = kind.label();
    violations.addIf(found.size() > 1, new ScaffoldViolation.RepeatedPart(tag));
    violations.addIf(
        found.stream().anyMatch(e -> !e.closed()), new ScaffoldViolation.UnclosedPart(tag));
    return found;
  }

  /** Children without their part count as the part: from the first to the end of the last. */
  private List<Element> loose(ScaffoldTag part, Set<ScaffoldTag> kinds) {
    List<Tag> tags = layout.stray.stream().filter(t -> kinds.contains(t.kind())).toList();
    if (tags.isEmpty() || !tags.getLast().closing() || tags.getFirst().closing()) {
      return List.of();
    }
    int from = tags.getFirst().from();
    int to = tags.getLast().to();
    return List.of(new Element(part, from, from, to, to, false, tags));
  }

  /** The children of a part; one without an end tag ends where the next begins. */
  private Map<ScaffoldTag, String> children(Element parent, Set<ScaffoldTag> kinds) {
    List<Tag> tags = parent.tags().stream().filter(t -> kinds.contains(t.kind())).toList();
    Map<ScaffoldTag, String> read = new EnumMap<>(ScaffoldTag.class);
    int[] ends = nextEnds(tags);
    int i = 0;
    while (i < tags.size()) {
      Tag start = tags.get(i);
      if (start.closing()) {
        violations.add(new ScaffoldViolation.StrayTag(start.kind().label()));
        i++;
        continue;
      }
      boolean closed = ends[i] < tags.size();
      int next = closed ? ends[i] : nextStart(tags, i + 1);
      int to = next < tags.size() ? tags.get(next).from() : parent.contentTo();
      String content = ScaffoldText.read(text.substring(start.to(), to));
      String tag = start.kind().label();
      violations.addIf(!closed, new ScaffoldViolation.UnclosedPart(tag));
      violations.addIf(
          read.put(start.kind(), content) != null, new ScaffoldViolation.RepeatedPart(tag));
      i = closed ? next + 1 : next;
    }
    return read;
  }

  private static int[] nextEnds(List<Tag> tags) {
    int[] ends = new int[tags.size()];
    Map<ScaffoldTag, Integer> next = new EnumMap<>(ScaffoldTag.class);
    for (int i = tags.size() - 1; i >= 0; i--) {
      Tag tag = tags.get(i);
      ends[i] = next.getOrDefault(tag.kind(), tags.size());
      if (tag.closing()) {
        next.put(tag.kind(), i);
      }
    }
    return ends;
  }

  private static int nextStart(List<Tag> tags, int from) {
    int i = from;
    while (i < tags.size() && tags.get(i).closing()) {
      i++;
    }
    return i;
  }

  /** Think, then state evaluation, then plan, then review: each element not before the last. */
  void checkOrder() {
    int last = 0;
    for (Element element : layout.elements) {
      int rank = rank(element.kind());
      violations.addIf(
          rank < last, new ScaffoldViolation.WrongOrder(element.kind().label()));
      last = Math.max(last, rank);
    }
  }

  private static int rank(ScaffoldTag kind) {
    return switch (kind) {
      case THINK -> 0;
      case STATE_EVALUATION -> 1;
      case STRUCTURED_PLAN, DEEP_ANALYSIS, RUBRIC, RESEARCH_PLAN -> 2;
      case REVIEW, RUBRIC_REVIEW, WRITING_PLAN -> 3;
      case CALL_TOOL, ANSWER, TOOL_OUTPUT -> 4;
    };
  }

  /** Lone tags, and text between the elements; leading text that serves as think is none. */
  void checkStray() {
    boolean leadingIsThink = layout.elements.stream().noneMatch(PartReader::isThink);
    int at = leadingIsThink ? firstElement() : 0;
    int next = 0;
    for (Element element : layout.elements) {
      while (next < layout.stray.size() && layout.stray.get(next).from() < element.from()) {
        at = strayTag(at, layout.stray.get(next++));
      }
      strayText(at, element.from());
      at = Math.max(at, element.to());
    }
    for (Tag tag : layout.stray.subList(next, layout.stray.size())) {
      at = strayTag(at, tag);
    }
    strayText(at, layout.action.map(a -> a.element().from()).orElse(text.length()));
  }

  private static boolean isThink(Element element) {
    return element.kind() == ScaffoldTag.THINK;
  }

  private int strayTag(int at, Tag tag) {
    violations.add(new ScaffoldViolation.StrayTag(tag.kind().label()));
    strayText(at, tag.from());
    return Math.max(at, tag.to());
  }

  private void strayText(int from, int to) {
    violations.addIf(
        from < to && !text.substring(from, to).isBlank(), new ScaffoldViolation.StrayText());
  }
}
