package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import rubricem.persistence.corpus.Block.Shape;

class PassageCutProperties {
  private static final int WORDS = 40;

  @Property(tries = 300)
  void passages_are_in_order_apart_and_never_too_long(@ForAll("documents") List<Block> blocks) {
    Cut cut = PassageCut.of(blocks, WORDS);
    int last = 0;
    for (Cut.Piece piece : cut.pieces()) {
      assertTrue(piece.from() >= last && piece.to() > piece.from());
      last = piece.to();
      String text = cut.text().substring(piece.from(), piece.to());
      assertEquals(text.strip(), text);
      assertTrue(Words.count(text) <= WORDS * 2, text);
    }
  }

  @Property(tries = 300)
  void every_word_that_is_no_heading_is_in_a_passage(@ForAll("documents") List<Block> blocks) {
    Cut cut = PassageCut.of(blocks, WORDS);
    StringBuilder all = new StringBuilder();
    cut.pieces().forEach(p -> all.append(cut.text(), p.from(), p.to()).append('\n'));
    int at = 0;
    for (Block block : blocks) {
      if (block.shape() == Shape.PROSE || block.shape() == Shape.LINES) {
        for (String word : block.text().split("\\s+")) {
          at = all.indexOf(word, at);
          assertTrue(at >= 0, () -> "lost " + word);
          at += word.length();
        }
      }
    }
  }

  @Example
  void a_long_paragraph_is_cut_between_its_sentences() {
    List<String> sentences = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      sentences.add("Sentence number " + i + " has a few more words than ten here.");
    }
    Cut cut = PassageCut.of(List.of(block(Shape.PROSE, String.join(" ", sentences))), WORDS);
    assertTrue(cut.pieces().size() > 5);
    for (Cut.Piece piece : cut.pieces()) {
      String text = cut.text().substring(piece.from(), piece.to());
      assertTrue(text.startsWith("Sentence") && text.endsWith("here."), text);
    }
  }

  @Example
  void passages_do_not_cross_sections_or_pages() {
    String words = "word ".repeat(31).strip();
    Cut cut =
        PassageCut.of(
            List.of(
                new Block(Shape.PROSE, words, List.of("A"), "page 1", false),
                new Block(Shape.PROSE, words, List.of("A"), "page 2", false),
                new Block(Shape.PROSE, words, List.of("B"), "page 2", false)),
            150);
    assertEquals(3, cut.pieces().size());
  }

  @Example
  void headings_between_small_passages_count_when_they_are_joined() {
    List<Block> blocks = new ArrayList<>();
    String words = "a ".repeat(6).strip();
    blocks.add(new Block(Shape.PROSE, words, List.of("A"), "page 1", true));
    for (int i = 0; i < 20; i++) {
      blocks.add(new Block(Shape.HEADING, words, List.of("A"), "", true));
    }
    blocks.add(new Block(Shape.PROSE, words, List.of("A"), "page 1", true));
    assertEquals(2, PassageCut.of(blocks, WORDS).pieces().size());
  }

  private static Block block(Shape shape, String text) {
    return new Block(shape, text, List.of(), "", false);
  }

  /** Headings are short: longer ones are read as prose. */
  private static String fitting(Shape shape, String text) {
    boolean prose = shape == Shape.PROSE || shape == Shape.LINES;
    return prose ? text : text.substring(0, Math.min(60, text.length())).strip();
  }

  @Provide
  Arbitrary<List<Block>> documents() {
    Arbitrary<String> word =
        Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(9);
    Arbitrary<String> prose =
        word.list().ofMinSize(1).ofMaxSize(120).map(words -> String.join(" ", words) + ".");
    Arbitrary<Block> block =
        Combinators.combine(
                Arbitraries.of(Shape.class), prose,
                Arbitraries.of(List.of("A"), List.of("A", "B"), List.<String>of()),
                Arbitraries.of("", "page 1"), Arbitraries.of(true, false))
            .as((shape, text, section, place, own) ->
                new Block(shape, fitting(shape, text), section, place, own));
    return block.list().ofMinSize(1).ofMaxSize(12);
  }
}
