package rubricem.protocol.scaffold;

/**
 * Which characters a reader cannot see but a model reads: zero-width and bidirectional controls,
 * invisible tag and selector characters, other control codes, halves of surrogate pairs. A joiner
 * between two characters beyond ASCII and a direction mark beside one are writing (Persian, Hindi,
 * emoji, Hebrew) and not hidden; nor are line breaks, tabs and soft hyphens.
 */
final class HiddenCharacters {
  private static final int BLACK_FLAG = 0x1F3F4;
  private static final int LAST_ASCII = 0x7F;

  private HiddenCharacters() {}

  static boolean at(String text, int at) {
    int point = text.codePointAt(at);
    if (point < ' ') {
      return point != '\n' && point != '\t' && point != '\r';
    }
    return switch (kind(point)) {
      case SHOWN -> false;
      case HIDDEN -> true;
      case JOINER -> !(letterBefore(text, at) && letterAfter(text, at));
      case DIRECTION -> !(letterBefore(text, at) || letterAfter(text, at));
    };
  }

  /** Kinds of code points; the last two are settled by their neighbours. */
  private enum Kind {
    SHOWN,
    HIDDEN,
    JOINER,
    DIRECTION
  }

  private static Kind kind(int point) {
    if (within(point, 0x200C, 0x200D)) {
      return Kind.JOINER;
    }
    if (within(point, 0x200E, 0x200F)) {
      return Kind.DIRECTION;
    }
    boolean hidden =
        point == 0x7F
            || point == 0x200B
            || point == 0x061C
            || point == 0x180E
            || point == 0xFEFF
            || within(point, 0x202A, 0x202E)
            || within(point, 0x2060, 0x206F)
            || within(point, 0xD800, 0xDFFF)
            || within(point, 0xE0000, 0xE0FFF);
    return hidden ? Kind.HIDDEN : Kind.SHOWN;
  }

  private static boolean within(int point, int from, int to) {
    return point >= from && point <= to;
  }

  private static boolean letterBefore(String text, int at) {
    return at > 0 && letter(text.codePointBefore(at));
  }

  private static boolean letterAfter(String text, int at) {
    return at + 1 < text.length() && letter(text.codePointAt(at + 1));
  }

  private static boolean letter(int point) {
    return point > LAST_ASCII && kind(point) == Kind.SHOWN;
  }

  /** Characters that carry text no reader sees; the flags of regions use them openly. */
  static boolean isTagCharacter(int point) {
    return within(point, 0xE0000, 0xE007F);
  }

  static boolean startsFlag(int point) {
    return point == BLACK_FLAG;
  }

  /** Overrides that show text in another order than it is read in. */
  static boolean isOverride(int point) {
    return point == 0x202D || point == 0x202E;
  }

  static boolean isZeroWidth(int point) {
    return point == 0x200B || point == 0x2060 || point == 0xFEFF || within(point, 0x2061, 0x2064);
  }
}
