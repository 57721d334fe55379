package rubricem.protocol.scaffold;

import java.text.Normalizer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Looks for signs that a passage tries to give the model orders: tags of the scaffold or of a chat
 * template, a demand to drop earlier instructions, text that no reader sees. A sign is no proof (an
 * article about such attacks shows them too), so it is only logged beside the source; what protects
 * is the escaping. Few signs are looked for, each one rare in honest text.
 */
final class Suspicions {
  static final String FAKE_TAG = "fake_tag";
  static final String CHAT_MARKER = "chat_marker";
  static final String OVERRIDE_PHRASE = "override_phrase";
  static final String HIDDEN_TEXT = "hidden_text";

  /** Web pages hold a few zero-width spaces as break points; hidden messages hold many. */
  private static final int ZERO_WIDTH_MAX = 16;

  /** How many words may lie between "ignore" and "instructions". */
  private static final int WINDOW = 8;

  private static final int WORD_MAX = 24;

  private static final Set<ScaffoldTag> TELLING =
      EnumSet.of(
          ScaffoldTag.THINK, ScaffoldTag.STRUCTURED_PLAN, ScaffoldTag.STATE_EVALUATION,
          ScaffoldTag.CALL_TOOL, ScaffoldTag.TOOL_OUTPUT);

  private static final Set<String> DROP =
      Set.of(
          "ignore", "disregard", "forget", "override", "bypass",
          "ignoriere", "ignorieren", "vergiss", "missachte",
          "ignorez", "ignorer", "oubliez", "oublie",
          "ignora", "ignorar", "ignoren", "olvida", "olvide", "dimentica", "ignorare",
          "esqueça", "esquece", "desconsidere",
          "negeer", "vergeet", "игнорируй", "игнорируйте", "забудь", "забудьте");

  private static final Set<String> EARLIER =
      Set.of(
          "previous", "prior", "above", "preceding", "earlier", "foregoing", "system",
          "vorherigen", "vorigen", "bisherigen", "obigen", "vorangegangenen",
          "précédentes", "précédents", "précédente", "antérieures",
          "anteriores", "previas", "precedenti", "prévias", "acima",
          "vorige", "eerdere", "bovenstaande", "предыдущие", "прежние");

  private static final Set<String> ALL =
      Set.of(
          "all", "any", "your", "alle", "deine", "toutes", "tes", "vos", "todas", "tus", "tutte",
          "suas", "все");

  private static final Set<String> ORDERS =
      Set.of(
          "instructions", "instruction", "prompt", "prompts", "directions", "directives",
          "guidelines", "rules", "commands", "anweisungen", "anweisung", "instruktionen",
          "befehle", "consignes", "instrucciones", "órdenes", "istruzioni", "instruções",
          "instructies", "opdrachten", "инструкции", "указания");

  private static final List<String> WITHOUT_SPACES =
      List.of(
          "忽略之前的指令", "忽略以上指令", "忽略上述指令", "忽略之前的所有指令", "忽略所有先前的指令",
          "無視之前的指令", "忽略先前的指示", "以前の指示を無視", "これまでの指示を無視", "上記の指示を無視",
          "이전 지시를 무시", "이전의 지시를 무시", "이전 지침을 무시");

  private Suspicions() {}

  static List<String> of(String text) {
    List<String> found = new ArrayList<>();
    boolean markup = text.indexOf('<') >= 0 || text.indexOf('[') >= 0;
    addIf(found, markup && hasTag(text), FAKE_TAG);
    addIf(found, markup && hasChatMarker(text), CHAT_MARKER);
    addIf(found, hasOverridePhrase(text), OVERRIDE_PHRASE);
    addIf(found, hasHiddenText(text), HIDDEN_TEXT);
    return List.copyOf(found);
  }

  private static void addIf(List<String> found, boolean holds, String code) {
    if (holds) {
      found.add(code);
    }
  }

  /** Tags that honest documents do not hold; {@code <answer>} or {@code <review>} may be theirs. */
  private static boolean hasTag(String text) {
    for (Tag tag : TagMachine.tags(text)) {
      int name = tag.from() + (tag.closing() ? 2 : 1);
      String label = tag.kind().label();
      boolean spelt = text.regionMatches(true, name, label, 0, label.length());
      if (spelt && TELLING.contains(tag.kind())) {
        return true;
      }
    }
    return hasFakeCite(text);
  }

  private static boolean hasFakeCite(String text) {
    int at = text.indexOf("<cite id=");
    while (at >= 0) {
      int id = at + "<cite id=".length();
      if (text.startsWith("S_", id) || text.startsWith("S_", id + 1)) {
        return true;
      }
      at = text.indexOf("<cite id=", id);
    }
    return false;
  }

  private static boolean hasChatMarker(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '[' && OutsideText.isInstructionMarker(text, i)
          || c == '<' && (startsRole(text, i + 1) || text.startsWith("<SYS>>", i + 1))) {
        return true;
      }
    }
    return false;
  }

  /** {@code |word} or its wide form, as in {@code <|im_start|>}. */
  private static boolean startsRole(String text, int at) {
    int i = at;
    if (i >= text.length() || text.charAt(i) != '|' && text.charAt(i) != '\uFF5C') {
      return false;
    }
    i++;
    int from = i;
    while (i < text.length() && i - from < WORD_MAX && isRoleChar(text.charAt(i))) {
      i++;
    }
    return i > from && i < text.length()
        && (text.charAt(i) == '|' || text.charAt(i) == '\uFF5C');
  }

  private static boolean isRoleChar(char c) {
    return ScaffoldTag.isNameChar(c) || c == '\u2581';
  }

  private static boolean hasOverridePhrase(String text) {
    String plain = plain(text);
    if (WITHOUT_SPACES.stream().anyMatch(plain::contains)) {
      return true;
    }
    // most passages speak of no orders at all, and every passage of an episode is looked at
    if (!mentionsOrders(plain)) {
      return false;
    }
    Deque<String> window = new ArrayDeque<>();
    int at = 0;
    while (at < plain.length()) {
      int end = at;
      while (end < plain.length() && isWordChar(plain.charAt(end))) {
        end++;
      }
      if (end > at && end - at <= WORD_MAX) {
        String word = plain.substring(at, end);
        if (ORDERS.contains(word) && drops(window)) {
          return true;
        }
        push(window, word);
      }
      if (end < plain.length() && endsSentence(plain.charAt(end))) {
        window.clear();
      }
      at = end + 1;
    }
    return false;
  }

  private static boolean mentionsOrders(String plain) {
    for (String word : ORDERS) {
      if (plain.contains(word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean endsSentence(char c) {
    return c == '.' || c == '!' || c == '?' || c == ';';
  }

  private static void push(Deque<String> window, String word) {
    window.addLast(word);
    if (window.size() > WINDOW) {
      window.removeFirst();
    }
  }

  /** Romance languages put "previous" behind the noun, so "all" or "your" before it will do. */
  private static boolean drops(Deque<String> window) {
    boolean dropping = false;
    for (String word : window) {
      if (DROP.contains(word)) {
        dropping = true;
      } else if (dropping && (EARLIER.contains(word) || ALL.contains(word))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWordChar(char c) {
    return Character.isLetter(c) || Character.isSurrogate(c) || c == '\'';
  }

  /** Lower case, compatibility forms folded, what no reader sees taken out. */
  private static String plain(String text) {
    if (OutsideText.isAscii(text)) {
      return text.toLowerCase(Locale.ROOT);
    }
    StringBuilder seen = new StringBuilder(text.length());
    int i = 0;
    while (i < text.length()) {
      int point = text.codePointAt(i);
      if (!HiddenCharacters.at(text, i) && point != 0xAD) {
        seen.appendCodePoint(point);
      }
      i += Character.charCount(point);
    }
    return Normalizer.normalize(seen, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
  }

  private static boolean hasHiddenText(String text) {
    if (OutsideText.isAscii(text)) {
      return false;
    }
    int zeroWidth = 0;
    boolean flag = false;
    int i = 0;
    while (i < text.length()) {
      int point = text.codePointAt(i);
      boolean tag = HiddenCharacters.isTagCharacter(point);
      if (HiddenCharacters.isOverride(point) || tag && !flag) {
        return true;
      }
      flag = HiddenCharacters.startsFlag(point) || flag && tag;
      zeroWidth += HiddenCharacters.isZeroWidth(point) ? 1 : 0;
      i += Character.charCount(point);
    }
    return zeroWidth > ZERO_WIDTH_MAX;
  }
}
