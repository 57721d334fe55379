package rubricem.persistence.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import rubricem.protocol.CallId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.FinishReason;

/** A packed history is the history. */
class HistoryProperties {
  private static final CallId CALL = CallId.parse("e1/1");

  @Provide
  Arbitrary<List<String>> texts() {
    // what is stored holds no halves of surrogate pairs
    return Arbitraries.strings()
        .ofMaxLength(400)
        .filter(text -> text.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff))
        .list()
        .ofMaxSize(8);
  }

  @Property(tries = 300)
  void packing_changes_nothing_that_can_be_seen(
      @ForAll("texts") List<String> turns, @ForAll("texts") List<String> passages) {
    History history = history(turns, passages);
    history.pack();
    history.pack();
    assertEquals(history(turns, passages), history);
    history.pack();
    assertEquals(turns, history.turns().stream().map(TurnRecord::text).toList());
    assertEquals(
        passages, history.evidence().stream().map(s -> s.passage().text()).toList());
    assertEquals(history(turns, passages).hashCode(), history.hashCode());
  }

  private static History history(List<String> turns, List<String> passages) {
    List<TurnRecord> records = new ArrayList<>();
    turns.forEach(
        text ->
            records.add(
                new TurnRecord(
                    CALL, text, FinishReason.STOP, new TurnRecord.Rejected("no " + text))));
    List<Snippet> evidence = new ArrayList<>();
    passages.forEach(
        text ->
            evidence.add(
                new Snippet(
                    "S_" + (evidence.size() + 1), CALL, "local_search",
                    new Passage(
                        "d.md", "Title", "file:///d.md", "p. 1", 0, text.length(), text, 0.5,
                        Optional.of("key: d.md#0-1")))));
    return new History(records, evidence);
  }
}
