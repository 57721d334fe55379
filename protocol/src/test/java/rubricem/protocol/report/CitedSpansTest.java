package rubricem.protocol.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.scaffold.FormatLabel;

/** The stretches that citations cut out of an answer. */
class CitedSpansTest {
  static Stream<List<String>> answers() {
    return Stream.of(
        // the answer, then what its citations cut
        List.of("<cite id=\"S_1\">One is one.</cite>", "One is one."),
        List.of(
            "Before. <cite id=\"S_1\">One.</cite> And <cite id=\"S_1\">two</cite>.", "One.", "two"),
        List.of(
            "- <cite id=\"S_1\">In a list</cite>\n- <cite id=\"S_1\">and more</cite>", "In a list",
            "and more"),
        List.of("<cite id=\"S_1\">**Bold** and *slanted*.</cite>", "**Bold** and *slanted*."),
        List.of("<cite id=\"S_1\">Sea 🌊 and moon 🌕</cite>!", "Sea 🌊 and moon 🌕"),
        List.of(
            "<cite id=\"S_1\">Same.</cite> Same. <cite id=\"S_1\">Same.</cite>", "Same.", "Same."),
        List.of("| a | b |\n|---|---|\n| <cite id=\"S_1\">x y</cite> | z |", "x y"),
        List.of("<cite id=\"S_1\">Read the [page](https://a.example/x_(y)).</cite>",
            "Read the [page](<https://a.example/x_(y)>)."),
        List.of("<cite id=\"S_1\">A [1] B</cite>", "A B"),
        List.of("<cite id=\"S_9\">Nobody retrieved it.</cite>"),
        List.of("大图书馆。<cite id=\"S_1\">它位于河边。</cite>", "它位于河边。"));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void a_span_is_what_a_reader_sees_as_the_claim(List<String> answerAndSpans) {
    ReportModel model = model(answerAndSpans.getFirst());
    NumberedAnswer answer = NumberedAnswer.of(model);
    assertEquals(model.answer(), answer.text());
    assertEquals(
        answerAndSpans.subList(1, answerAndSpans.size()),
        CitedSpans.of(model).stream()
            .map(s -> answer.text().substring(s.start(), s.end())).toList());
  }

  private static ReportModel model(String answer) {
    CallId call = CallId.of(new EpisodeId("e1"), 1);
    Snippet snippet =
        new Snippet(
            "S_1", call, "local_search",
            new Passage(
                "d", "D", "https://a.example/x_(y)", "", 0, 4, "text", 1, Optional.empty()));
    BoundAnswer bound = CitationBinding.bind(answer, List.of(snippet));
    return ReportModel.of(
        new ReportInput(
            "e1", "q?", FormatLabel.LONG_FORM, "answered", CheckedAnswer.unchecked(bound),
            Searched.NOTHING, List.of(), List.of(), List.of(), "p", "v", Optional.empty(),
            Optional.empty(), new ReportUsage(0, 0, 0, 0, 0, 0)));
  }
}
