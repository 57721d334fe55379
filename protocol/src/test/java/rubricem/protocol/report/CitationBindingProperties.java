package rubricem.protocol.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import rubricem.protocol.scaffold.FormatLabel;

class CitationBindingProperties {
  private static final String[] PIECES = {
    "<cite id=\"S_1\">", "<cite ids=S_2,S_3>", "<cite id='S_77'>", "</cite>", "words", " ", "\n",
    "\n\n", "[", "]", "(", ")", "](https://real.example/1)", "](https://no.example)", "`", "```",
    "\n```\n", "|", "| a | b |\n|---|---|\n", "<", ">", "!", "\\", "# ", "- ", "> ", "1. ",
    "https://real.example/2", "https://no.example/x", "<script>", "<a href=\"https://no.example\">",
    "[1]", "[x]: https://no.example\n", "**", "_", "*", "&amp;", "é中", "\uE000", "\uE001", "\\boxed{",
    "}", "\n## References\n", "<!--", "~~~", "\t", "\uD800", "\r\n", "  ", "$", "<https://no.example>"
  };

  @Provide
  Arbitrary<String> answers() {
    return Arbitraries.of(PIECES).list().ofMaxSize(40).map(list -> String.join("", list));
  }

  @Property(tries = 3000)
  void every_bound_claim_has_its_mark_in_the_body_in_order(@ForAll("answers") String answer) {
    BoundAnswer bound = CitationBinding.bind(answer, Snippets.some(4));
    long cited = AnswerCites.parse(BoxedAnswer.unbox(MarkdownText.clean(answer))).segments()
        .stream().filter(CitationBindingProperties::isBound).count();
    assertEquals(
        IntStream.range(0, (int) cited).boxed().toList(), ClaimMarks.in(bound.body()));
    assertEquals(cited, bound.claims().size());
  }

  private static boolean isBound(AnswerSegment segment) {
    return segment instanceof AnswerSegment.Cited cited
        && !ClaimText.plain(cited.claim()).isEmpty() && !cited.ids().equals(List.of("S_77"));
  }

  @Property(tries = 1000)
  void numbers_have_no_gaps_and_come_in_the_order_of_first_use(@ForAll("answers") String answer) {
    CheckedAnswer checked = CheckedAnswer.unchecked(CitationBinding.bind(answer, Snippets.some(4)));
    int highest = 0;
    for (Citation citation : checked.citations()) {
      assertTrue(citation.number() <= highest + 1);
      highest = Math.max(highest, citation.number());
    }
    List<Integer> numbers = checked.references().stream().map(Reference::number).toList();
    assertEquals(IntStream.rangeClosed(1, highest).boxed().toList(), numbers);
    assertTrue(checked.references().stream().noneMatch(r -> r.uses().isEmpty()));
  }

  @Property(tries = 1000)
  void any_text_at_all_is_taken(@ForAll String answer, @ForAll String question) {
    BoundAnswer bound = CitationBinding.bind(answer, Snippets.some(2));
    ReportMarkdown.render(ReportInput.of(
        "e", question, FormatLabel.SHORT_FORM, "answered", CheckedAnswer.unchecked(bound)));
  }

  @Property(tries = 500)
  void words_are_never_lost_by_parsing(@ForAll("answers") String answer) {
    String shown = AnswerCitesTest.shown(AnswerCites.parse(answer));
    assertTrue(answer.length() >= shown.length());
    assertEquals(count(answer, "words"), count(shown, "words"));
  }

  private static int count(String text, String word) {
    return text.split(word, -1).length - 1;
  }
}
