package rubricem.http.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import rubricem.protocol.CallId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.report.BoundAnswer;
import rubricem.protocol.report.CheckedAnswer;
import rubricem.protocol.report.CitationBinding;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.report.ReportInput;
import rubricem.protocol.report.ReportModel;
import rubricem.protocol.report.ReportUsage;
import rubricem.protocol.report.SupportScore;
import rubricem.protocol.scaffold.FormatLabel;

/** Reports that look like real ones, with everything in them that is hard to show. */
final class SampleReports {
  static final List<String> ODD_URLS =
      List.of(
          "https://en.wikipedia.org/wiki/Entropy_(information_theory)",
          "https://example.org/a_b_/_c_",
          "https://example.org/1939%E2%80%931945",
          "https://bücher.example/größe",
          "https://example.org/a b|c",
          "https://example.org/?q=1&copy;=2&lt=3",
          "https://example.org/*star*[x]\\y~z",
          "file:///home/u/My%20Papers/a(1).pdf");

  private SampleReports() {}

  static Snippet snippet(int n, String title, String url, String text) {
    return new Snippet(
        "S_" + n, CallId.parse("e/" + n), "corpus",
        new Passage("doc" + n + ".pdf", title, url, "p. " + n, 0, text.length(), text, 1,
            Optional.empty()));
  }

  /** One snippet for each odd address. */
  static List<Snippet> oddSnippets() {
    List<Snippet> snippets = new ArrayList<>();
    for (int i = 0; i < ODD_URLS.size(); i++) {
      snippets.add(snippet(i + 1, "Title | with *stars* _" + (i + 1) + "_ and [brackets](x) <b>",
          ODD_URLS.get(i), "Passage number " + (i + 1) + " says <cite id=\"S_9\">so</cite>."));
    }
    return snippets;
  }

  static ReportModel model(String question, FormatLabel format, String answer, List<Snippet> all) {
    BoundAnswer bound = CitationBinding.bind(answer, all);
    return ReportModel.of(input(question, format, bound, 0.9));
  }

  static ReportInput input(String question, FormatLabel format, BoundAnswer bound, double cosine) {
    List<ClaimVerdict> verdicts = new ArrayList<>();
    bound.claims().forEach(c -> c.snippets().forEach(s -> {
      if (c.index() % 4 != 3) {
        verdicts.add(new ClaimVerdict(c.index(), s.id(), SupportScore.of(
            c.text(), s.passage().text(), Optional.of(c.index() % 3 == 2 ? 0.2 : cosine))));
      }
    }));
    return new ReportInput(
        "ep-2026-11-29-7f3a", question, format, "answered", new CheckedAnswer(bound, verdicts),
        new Searched(12, 14, List.of("old/scan.pdf: scanned without text", "x.docx: encrypted")),
        List.of(new ReportInput.Query("corpus", "tower height antenna 2022", 6),
            new ReportInput.Query("corpus", "wind load iron lattice", 3)),
        List.of("The cost of the 2022 antenna"), List.of(), "extractive", "1",
        Optional.of(Instant.parse("2026-11-29T20:00:00Z")),
        Optional.of(Instant.parse("2026-11-29T20:02:41Z")),
        new ReportUsage(9, 7, 48_210, 3_902, 0.0132, 0));
  }

  static ReportModel english() {
    List<Snippet> all = new ArrayList<>();
    all.add(snippet(1, "Eiffel Tower: structure and history", ODD_URLS.get(0),
        "The tower is 330 metres tall, about the same height as an 81-storey building. Its base is"
            + " square, measuring 125 metres on each side. It was completed in 1889."));
    all.add(snippet(2, "Radio antenna raises the tower by six metres", ODD_URLS.get(2),
        "On 15 March 2022 a new digital radio antenna was lifted to the top by helicopter. The "
            + "tower grew by six metres. It now measures 330 metres."));
    all.add(snippet(3, "Notes on wind", "", "The sway at the top stays below seven centimetres."
        + " Heat moves it further than wind does."));
    all.add(snippet(4, "Größe und Gewicht", ODD_URLS.get(3),
        "Das Gewicht der Eisenkonstruktion beträgt 7.300 Tonnen."));
    return model("How tall is the Eiffel Tower today, and why has its height changed since 1889?",
        FormatLabel.LONG_FORM, ENGLISH, all);
  }

  private static final String ENGLISH =
      """
      ## Short answer

      <cite id="S_1, S_2">The Eiffel Tower is 330 metres tall.</cite> Until 2022 it was shorter; \
      <cite id="S_2">a digital radio antenna lifted by helicopter on 15 March 2022 added six \
      metres</cite>. The figure found in older books, 324 m, is therefore **not wrong but dated**.

      ## How the height changed

      | Year | Height | Why |
      |------|-------:|-----|
      | 1889 | 312 m | <cite id="S_1">Completion in 1889</cite> |
      | 2022 | 330 m | <cite id=S_2>New antenna</cite>, see also \
      [the encyclopedia](https://en.wikipedia.org/wiki/Entropy_(information_theory)) |

      The invented page https://invented.example/tower is no evidence, nor is \
      [this one](https://made.up/page). An unknown id <cite id="S_99">stays plain text</cite>.

      ## What moves the top

      1. <cite id="S_3">Wind moves the top by less than seven centimetres.</cite>
      2. <cite id="S_3">Heat moves it further than wind does.</cite>
      3. Nothing else matters at this scale.

      > A tower is a thing that stands still by moving a little.

      ## Weight

      <cite id="S_4">The iron structure weighs 7,300 tonnes</cite>, which a short calculation puts \
      in proportion:

      ```python
      mass = 7_300_000          # kg
      base = 4 * 26 ** 2        # m², four feet
      print(f"{mass / base:.0f} kg on each square metre")
      ```

      ### A remark on `height_m`

      The field `height_m` in the data set is the roof, not the tip <script>alert(1)</script>.
      """;

  static ReportModel arabic() {
    return model("ما هو ارتفاع برج إيفل اليوم؟", FormatLabel.LONG_FORM,
        "## الجواب\n\n<cite id=\"S_1\">يبلغ ارتفاع برج إيفل 330 مترًا</cite> اليوم. وقد أضيف "
            + "هوائي جديد في عام 2022 (<cite id=\"S_2\">new antenna</cite>).\n\n"
            + "- <cite id=\"S_1\">اكتمل البناء عام 1889</cite>\n- **مهم**: `height_m`\n\n"
            + "שלום עולם.\n",
        List.of(
            snippet(1, "Eiffel Tower: structure", ODD_URLS.get(0),
                "The tower is 330 metres tall. It was completed in 1889."),
            snippet(2, "برج إيفل", ODD_URLS.get(1), "أضيف هوائي جديد إلى البرج في 2022.")));
  }

  static ReportModel chinese() {
    return model("埃菲尔铁塔今天有多高？", FormatLabel.SHORT_FORM,
        "<cite id=\"S_1\">埃菲尔铁塔高330米</cite>。Ελληνικά, Русский, 日本語, 한국어.",
        List.of(snippet(1, "埃菲尔铁塔", ODD_URLS.get(2), "埃菲尔铁塔现在高330米。它建于1889年。")));
  }
}
