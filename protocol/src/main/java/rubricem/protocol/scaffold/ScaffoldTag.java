package rubricem.protocol.scaffold;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The elements of the grammar under the names that are written, with the further names that are
 * read (decision C1 of the specification; {@code </call>} is read as {@code </call_tool>}). Names
 * are read in any case. {@code <cite>} is no element of the turn: it is part of an answer's text.
 */
enum ScaffoldTag {
  THINK("think"),
  STRUCTURED_PLAN("structured_plan"),
  DEEP_ANALYSIS("deep_analysis", "analysis"),
  RUBRIC("rubric", "rubrics"),
  RESEARCH_PLAN("research_plan"),
  STATE_EVALUATION("state_evaluation"),
  REVIEW("review"),
  RUBRIC_REVIEW("rubric_review", "rubrics_review"),
  WRITING_PLAN("writing_plan"),
  CALL_TOOL("call_tool"),
  ANSWER("answer"),
  TOOL_OUTPUT("tool_output");

  /** Only an end tag of this name is read; it closes a call. */
  static final String SHORT_CALL_END = "call";

  /** Longer words are no names, so that a scan keeps no more than this of one. */
  static final int NAME_MAX = 24;

  private static final Map<String, ScaffoldTag> BY_NAME = new HashMap<>();

  static {
    for (ScaffoldTag tag : values()) {
      BY_NAME.put(tag.label, tag);
      tag.aliases.forEach(alias -> BY_NAME.put(alias, tag));
    }
  }

  private final String label;
  private final List<String> aliases;

  ScaffoldTag(String label, String... aliases) {
    this.label = label;
    this.aliases = List.of(aliases);
  }

  String label() {
    return label;
  }

  static @Nullable ScaffoldTag of(CharSequence name, boolean closing) {
    String lower = lowerCase(name);
    if (closing && lower.equals(SHORT_CALL_END)) {
      return CALL_TOOL;
    }
    return BY_NAME.get(lower);
  }

  /** Parts that stand at the top of a turn and hold text or children. */
  boolean isPart() {
    return this == STRUCTURED_PLAN || this == STATE_EVALUATION || this == REVIEW;
  }

  boolean isAction() {
    return this == CALL_TOOL || this == ANSWER;
  }

  static boolean isNameChar(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
        || c == '-';
  }

  /** ASCII only: no other letter may turn into a tag's name. */
  static String lowerCase(CharSequence name) {
    StringBuilder lower = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      lower.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
    }
    return lower.toString();
  }
}
