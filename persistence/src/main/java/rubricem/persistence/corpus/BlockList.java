package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import rubricem.persistence.corpus.Block.Shape;
import rubricem.protocol.evidence.UnreadableKind;

/**
 * Collects the blocks of one document in reading order and keeps the path of headings above the
 * current one. A heading without any text below it is kept as text itself, so that nothing a
 * document says is lost. Stops with {@link TooMuchText} at the bound.
 */
final class BlockList {
  /** Longer headings are paragraphs that somebody styled as a heading. */
  private static final int HEADING_CHARS_MAX = 200;

  /** From this level on a heading is the term of a definition. */
  static final int TERM_LEVEL = 10;

  private record Heading(int level, String text, String anchor) {}

  private final int charsMax;
  private final Set<String> repeated;
  private final List<Block> blocks = new ArrayList<>();
  private final List<Heading> above = new ArrayList<>();
  private final CleanText clean = new CleanText();
  private boolean bareHeading;
  private boolean startsOwn;
  private String place = "";
  private String page = "";
  private long chars;

  /** @param repeated paragraphs to leave out */
  BlockList(int charsMax, Set<String> repeated) {
    this.charsMax = charsMax;
    this.repeated = repeated;
  }

  void heading(int level, String raw) {
    heading(level, raw, "");
  }

  /**
   * @param level 1 is the outermost; a heading ends all of its level and below
   * @param anchor where a link finds it, encoded; empty: where the heading above it is
   */
  void heading(int level, String raw, String anchor) {
    String text = clean.line(raw);
    if (text.isEmpty()) {
      return;
    }
    if (text.length() > HEADING_CHARS_MAX) {
      add(Shape.PROSE, text);
      return;
    }
    if (bareHeading && !above.isEmpty() && above.getLast().level() >= level) {
      keepBareHeading();
    }
    close(level);
    above.add(new Heading(level, text, anchor));
    Shape shape = level < TERM_LEVEL ? Shape.HEADING : Shape.TERM;
    append(new Block(shape, text, section(), place, anchor(), false));
    bareHeading = true;
  }

  /** Ends all headings of this level and below. */
  void close(int level) {
    while (!above.isEmpty() && above.getLast().level() >= level) {
      if (bareHeading) {
        keepBareHeading();
      }
      above.removeLast();
    }
  }

  /** The next block starts a passage of its own. */
  void startOwn() {
    startsOwn = true;
  }

  /** A page, slide or sheet begins. */
  void place(String name) {
    place(name, "");
  }

  /** The same where a link can lead to it. */
  void place(String name, String anchor) {
    place = name;
    page = anchor;
    startsOwn = true;
  }

  void add(Shape shape, String raw) {
    add(shape, raw, "");
  }

  /** @param at where a link finds it, encoded; empty: where the heading above it is */
  void add(Shape shape, String raw, String at) {
    String text = shape == Shape.LINES ? clean.lines(raw) : clean.line(raw);
    if (text.isEmpty() || shape == Shape.PROSE && repeated.contains(text)) {
      return;
    }
    String found = at.isEmpty() ? anchor() : at;
    append(new Block(shape, text, section(), place, found, startsOwn));
    startsOwn = false;
    bareHeading = false;
  }

  List<Block> blocks() {
    close(0);
    return List.copyOf(blocks);
  }

  /** How many invisible characters were left out. */
  int invisible() {
    return clean.invisible();
  }

  private void keepBareHeading() {
    Block last = blocks.removeLast();
    blocks.add(
        new Block(
            Shape.PROSE, last.text(), last.section(), last.place(), last.anchor(), true));
    bareHeading = false;
  }

  private List<String> section() {
    return above.stream().map(Heading::text).toList();
  }

  /** The innermost heading that a link can lead to, else the page. */
  private String anchor() {
    for (int i = above.size() - 1; i >= 0; i--) {
      if (!above.get(i).anchor().isEmpty()) {
        return above.get(i).anchor();
      }
    }
    return page;
  }

  private void append(Block block) {
    chars += block.text().length() + 2;
    if (chars > charsMax) {
      throw new TooMuchText(charsMax);
    }
    blocks.add(block);
  }

  /** The document gives more text than the bound allows. */
  static final class TooMuchText extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int charsMax;

    TooMuchText(int charsMax) {
      super("more than " + charsMax + " characters of text");
      this.charsMax = charsMax;
    }

    Reading.Unreadable reading() {
      return new Reading.Unreadable(UnreadableKind.TOO_MUCH_TEXT, "" + charsMax);
    }
  }
}
