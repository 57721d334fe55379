package rubricem.protocol.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerCitesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '\0',
      value = {
        "<cite id=\"S_1\">c</cite>#S_1",
        "<cite ids=\"S_1, S_2\">c</cite>#S_1 S_2",
        "<cite id='S_1'>c</cite>#S_1",
        "<cite id=S_1>c</cite>#S_1",
        "<cite id=S_1, S_2>c</cite>#S_1 S_2",
        "<cite id=S_1,S_2 kind=x>c</cite>#S_1 S_2",
        "<cite id=“S_1”>c</cite>#S_1",
        "<CITE ID=\"S_1\" >c</CITE >#S_1",
        "<cite kind=\"x\" id=\"S_1 S_2;S_3\">c</cite>#S_1 S_2 S_3",
        "<cite id=\"S_1, S_1\">c</cite>#S_1",
        "<cite id = \"a1b2c3d4-0\">c</cite>#a1b2c3d4-0",
        "<cite id=[S_1]>c</cite>#S_1",
        "<cite id=\"S_1>c</cite>#S_1",
      })
  void reads_every_way_to_write_ids(String answer, String ids) {
    assertEquals(
        List.of(new AnswerSegment.Cited("c", List.of(ids.split(" ")))),
        AnswerCites.parse(answer).segments());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '\0',
      value = {
        "<cite id=\"S_1\"></cite> a#a#1",
        "<cite id=\"S_1\"/> a#a#1",
        "<cite>claim</cite> a#claim a#1",
        "<cite id=\"\">claim</cite> a#claim a#1",
        "a </cite> b#a  b#0",
        "a < b and <citeX id=1>#a < b and <citeX id=1>#0",
        "<cite id=\"S_1\"#<cite id=\"S_1\"#0",
      })
  void leaves_what_is_no_citation_as_text(String answer, String text, int empty) {
    ParsedAnswer parsed = AnswerCites.parse(answer);
    assertEquals(text, shown(parsed).strip());
    assertEquals(empty, parsed.emptyCites());
    assertEquals(0, parsed.segments().stream()
        .filter(s -> s instanceof AnswerSegment.Cited).count());
  }

  @Test
  void a_claim_nobody_closed_ends_with_its_sentence() {
    assertEquals(
        List.of(
            new AnswerSegment.Cited("It is 3.5 m tall.", List.of("S_1")),
            new AnswerSegment.Plain(" More."),
            new AnswerSegment.Cited("二。", List.of("S_2")),
            new AnswerSegment.Plain("三")),
        AnswerCites.parse("<cite id=S_1>It is 3.5 m tall. More.<cite id=S_2>二。三").segments());
  }

  @Test
  void a_claim_nobody_closed_ends_before_the_next_cite() {
    assertEquals(
        List.of(
            new AnswerSegment.Cited("one ", List.of("A")),
            new AnswerSegment.Cited("two", List.of("B")),
            new AnswerSegment.Plain(" three")),
        AnswerCites.parse("<cite id=A>one <cite id=B>two</cite> three").segments());
  }

  @Test
  void cites_in_a_cite_are_one_claim_with_all_ids() {
    assertEquals(
        List.of(new AnswerSegment.Cited("one two three", List.of("A", "B"))),
        AnswerCites.parse("<cite id=A>one <cite id=B>two</cite> three</cite>").segments());
  }

  static String shown(ParsedAnswer parsed) {
    StringBuilder out = new StringBuilder();
    for (AnswerSegment segment : parsed.segments()) {
      out.append(switch (segment) {
        case AnswerSegment.Plain plain -> plain.text();
        case AnswerSegment.Cited cited -> cited.claim();
      });
    }
    return out.toString();
  }
}
