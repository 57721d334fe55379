package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class StopScannerProperties {
  @Property(tries = 1000)
  void chunks_of_any_size_give_the_same_text(@ForAll("texts") String text, @ForAll byte step) {
    StopScanner whole = new StopScanner();
    whole.feed(text);
    StopScanner chunked = new StopScanner();
    int size = Math.abs(step % 7) + 1;
    for (int i = 0; i < text.length(); i += size) {
      chunked.feed(text.substring(i, Math.min(text.length(), i + size)));
    }
    assertEquals(whole.openTag(), chunked.openTag());
    assertEquals(whole.finish(), chunked.finish());
    assertTrue(text.startsWith(whole.text()));
  }

  @Property(tries = 2000)
  void the_parser_reads_the_same_turn_from_the_stopped_text(
      @ForAll("texts") String before, @ForAll("turns") Turn turn, @ForAll("texts") String after) {
    String text = before + ScaffoldPrinter.print(turn) + after;
    StopScanner scanner = new StopScanner();
    scanner.feed(text);
    TurnContext context = new TurnContext(false, ScaffoldTexts.TOOLS, 3, false);
    if (scanner.stopped()
        && ScaffoldParser.parse(scanner.text(), context) instanceof ParsedTurn.Valid valid) {
      ParsedTurn whole = ScaffoldParser.parse(text, context);
      assertEquals(valid.turn(), assertInstanceOf(ParsedTurn.Valid.class, whole).turn());
    }
  }

  @Provide
  Arbitrary<Turn> turns() {
    return ScaffoldTexts.turns();
  }

  @Provide
  Arbitrary<String> texts() {
    return ScaffoldTexts.anything();
  }
}
