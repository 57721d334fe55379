package rubricem.persistence.corpus;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import rubricem.persistence.corpus.Block.Shape;
import rubricem.persistence.corpus.Cut.Piece;

/**
 * Cuts a document into passages: never over a section or a page, between sentences where a
 * paragraph is too long, and small neighbours together. A sentence is cut only where it alone is
 * longer than a passage. Pure.
 */
final class PassageCut {
  /** A passage below this part of the most is joined with a neighbour it belongs to. */
  private static final int FEW = 5;

  private final int wordsMax;
  private final StringBuilder text = new StringBuilder();
  private final List<Piece> pieces = new ArrayList<>();
  /** Where passages begin that carry their own heading: only these may lose it from their path. */
  private final Set<Integer> terms = new HashSet<>();
  private int from = -1;
  private int to;
  private int words;
  private int term = -1;
  private Block first;

  private PassageCut(int wordsMax) {
    this.wordsMax = wordsMax;
    this.first = new Block(Shape.PROSE, "", List.of(), "", true);
  }

  static Cut of(List<Block> blocks, int wordsMax) {
    PassageCut cut = new PassageCut(wordsMax);
    blocks.forEach(cut::block);
    cut.close();
    return new Cut(cut.text.toString(), cut.joined());
  }

  private void block(Block block) {
    int start = text.isEmpty() ? 0 : text.append("\n\n").length();
    text.append(block.text());
    if (block.shape() == Shape.HEADING || block.shape() == Shape.TERM) {
      close();
      term = block.shape() == Shape.TERM ? start : -1;
      return;
    }
    if (block.own() || !sameHome(first, block)) {
      close();
    }
    int count = Words.count(block.text());
    if (words + count <= wordsMax) {
      grow(block, start, text.length(), count);
    } else if (count <= wordsMax) {
      close();
      grow(block, start, text.length(), count);
    } else {
      for (int[] part : parts(block, start)) {
        int size = Words.count(text.subSequence(part[0], part[1]));
        if (words + size > wordsMax) {
          close();
        }
        grow(block, part[0], part[1], size);
      }
    }
  }

  private void grow(Block block, int start, int end, int count) {
    if (from < 0) {
      from = term >= 0 ? term : start;
      if (term >= 0) {
        terms.add(term);
      }
      first = block;
      term = -1;
    }
    to = end;
    words += count;
  }

  private void close() {
    if (from >= 0) {
      pieces.add(new Piece(from, to, first.section(), first.place(), first.anchor()));
    }
    from = -1;
    words = 0;
  }

  private static boolean sameHome(Block a, Block b) {
    return a.place().equals(b.place()) && a.section().equals(b.section());
  }

  private List<int[]> parts(Block block, int start) {
    List<int[]> parts = new ArrayList<>();
    if (block.shape() == Shape.LINES) {
      int begin = start;
      for (int i = start; i < text.length(); i++) {
        if (text.charAt(i) == '\n') {
          addPart(parts, begin, i);
          begin = i + 1;
        }
      }
      addPart(parts, begin, text.length());
      return parts;
    }
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    sentences.setText(block.text());
    int begin = sentences.first();
    for (int end = sentences.next(); end != BreakIterator.DONE; end = sentences.next()) {
      addPart(parts, start + begin, start + end);
      begin = end;
    }
    return parts;
  }

  private void addPart(List<int[]> parts, int begin, int end) {
    int last = end;
    while (last > begin && Character.isWhitespace(text.charAt(last - 1))) {
      last--;
    }
    if (last == begin) {
      return;
    }
    if (Words.count(text.subSequence(begin, last)) <= wordsMax) {
      parts.add(new int[] {begin, last});
    } else {
      byWords(parts, begin, last);
    }
  }

  /**
   * For a sentence longer than a passage: cuts at white space, and inside a word as last resort.
   */
  private void byWords(List<int[]> parts, int begin, int end) {
    int charsMax = wordsMax * 6;
    int at = begin;
    while (end - at > charsMax) {
      int cut = at + charsMax;
      while (cut > at + charsMax / 2 && !Character.isWhitespace(text.charAt(cut))) {
        cut--;
      }
      if (!Character.isWhitespace(text.charAt(cut))) {
        cut = at + charsMax;
        cut -= Character.isLowSurrogate(text.charAt(cut)) ? 1 : 0;
      }
      parts.add(new int[] {at, cut});
      at = cut;
      while (at < end && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
    }
    if (at < end) {
      parts.add(new int[] {at, end});
    }
  }

  /** Joins neighbours that are very small, such as definitions of one line. */
  private List<Piece> joined() {
    List<Piece> result = new ArrayList<>();
    int few = wordsMax / FEW;
    int lastWords = 0;
    boolean lastSmall = false;
    for (Piece piece : pieces) {
      int count = wordsOf(piece.from(), piece.to());
      Piece last = result.isEmpty() ? null : result.getLast();
      boolean same = last != null && last.section().equals(piece.section());
      if (last != null
          && count < few
          && (lastSmall && lastWords < 2 * few || same && lastWords + count <= wordsMax)
          && related(last, piece)
          && wordsOf(last.from(), piece.to()) <= wordsMax) {
        List<String> section = common(last.section(), piece.section());
        result.set(
            result.size() - 1,
            new Piece(last.from(), piece.to(), section, last.place(), last.anchor()));
        lastWords = wordsOf(last.from(), piece.to());
      } else {
        result.add(piece);
        lastWords = count;
        lastSmall = count < few;
      }
    }
    return List.copyOf(result);
  }

  /** What lies between two pieces, such as headings, is in the passage when they are joined. */
  private int wordsOf(int start, int end) {
    return Words.count(text.subSequence(start, end));
  }

  private boolean related(Piece a, Piece b) {
    boolean same = a.section().equals(b.section());
    boolean both = terms.contains(a.from()) && terms.contains(b.from());
    if (!a.place().equals(b.place()) || !same && !both) {
      return false;
    }
    int shared = common(a.section(), b.section()).size();
    return same || shared >= b.section().size() - 1 && shared >= a.section().size() - 1;
  }

  private static List<String> common(List<String> a, List<String> b) {
    int n = 0;
    while (n < a.size() && n < b.size() && a.get(n).equals(b.get(n))) {
      n++;
    }
    return a.subList(0, n);
  }
}
