package rubricem.protocol.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.UnreadableKind;
import rubricem.protocol.scaffold.FormatLabel;

class ReportModelTest {
  private static final ObjectMapper JSON =
      new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .registerModules(new Jdk8Module(), new JavaTimeModule());

  private static CheckedAnswer answer(int claims, int checked, int supported) {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= claims; i++) {
      text.append("<cite id=S_").append(i).append(">Claim ").append(i).append("</cite>. ");
    }
    BoundAnswer bound = CitationBinding.bind(text.toString(), Snippets.some(claims));
    List<ClaimVerdict> verdicts = new ArrayList<>();
    for (int i = 0; i < checked; i++) {
      SupportState state = i < supported ? SupportState.SUPPORTED : SupportState.WEAK;
      verdicts.add(new ClaimVerdict(i, "S_" + (i + 1),
          new SupportScore(state, "Passage", 1, Optional.of(1.0), List.of(), false)));
    }
    return new CheckedAnswer(bound, verdicts);
  }

  private static ReportModel model(CheckedAnswer answer, String outcome) {
    return ReportModel.of(ReportInput.of("e1", "Why?", FormatLabel.LONG_FORM, outcome, answer));
  }

  @Test
  void shows_the_coverage_beside_what_is_supported() {
    ReportModel model = model(answer(20, 12, 11), "answered");
    assertEquals(new CitationCheck(20, 12, 11, 0), model.citationCheck());
    assertEquals(0.6, model.citationCheck().coverage());
    assertFalse(model.citationCheck().allSupported());
    assertTrue(ReportMarkdown.render(model).contains("12 of 20 citations checked, 11 supported."));
    assertFalse(model(answer(3, 2, 2), "answered").citationCheck().allSupported());
    assertTrue(model(answer(3, 3, 3), "answered").citationCheck().allSupported());
  }

  @Test
  void a_search_that_was_asked_again_is_listed_once_with_the_most_it_found() {
    ReportInput plain =
        ReportInput.of("e1", "Why?", FormatLabel.LONG_FORM, "answered", answer(1, 1, 1));
    List<ReportInput.Query> asked =
        List.of(
            new ReportInput.Query("local_search", "tides", 1),
            new ReportInput.Query("local_search", "moon", 2),
            new ReportInput.Query("local_search", "tides", 0),
            new ReportInput.Query("web_search", "tides", 3));
    ReportModel model =
        ReportModel.of(
            new ReportInput(
                plain.episode(), plain.question(), plain.format(), plain.outcome(),
                plain.answer(), plain.searched(), asked, plain.notFound(), plain.limitsReached(),
                plain.policy(), plain.policyVersion(), plain.startedAt(), plain.endedAt(),
                plain.usage()));
    assertEquals(List.of(asked.get(0), asked.get(1), asked.get(3)), model.queries());
    assertTrue(ReportMarkdown.render(model).contains("tides (1 passage)"));
  }

  @Test
  void a_citation_nobody_looked_at_is_unchecked_and_stays() {
    assertEquals(
        List.of(SupportState.SUPPORTED, SupportState.UNCHECKED, SupportState.UNCHECKED),
        answer(3, 1, 1).citations().stream().map(Citation::state).toList());
  }

  @Test
  void has_the_names_of_the_contract_in_json() {
    JsonNode json = JSON.valueToTree(model(answer(1, 1, 1), "answered"));
    List<String> names = new ArrayList<>();
    json.get("citations").get(0).fieldNames().forEachRemaining(names::add);
    assertEquals(
        List.of("number", "snippet_id", "claim", "quote", "title", "url", "document", "state"),
        names);
    assertEquals("supported", json.get("citations").get(0).get("state").asText());
    List<String> check = new ArrayList<>();
    json.get("citation_check").fieldNames().forEachRemaining(check::add);
    assertEquals(List.of("cited", "checked", "supported", "removed"), check);
    assertFalse(json.has("body") || json.has("marks") || json.has("allowed_urls"), json::toString);
  }

  @Test
  void a_passage_used_again_keeps_its_number() {
    CheckedAnswer answer = CheckedAnswer.unchecked(CitationBinding.bind(
        "<cite id=S_5>a</cite> <cite id='S_2 S_5'>b</cite> <cite id=S_5>c</cite>",
        Snippets.some(6)));
    assertEquals(List.of(1, 2, 1, 1), answer.citations().stream().map(Citation::number).toList());
    assertEquals("a [1] b [2][1] c [1]", model(answer, "answered").answer());
    assertEquals(3, answer.references().getFirst().uses().size());
  }

  @Test
  void a_number_never_turns_into_a_link() {
    CheckedAnswer answer = CheckedAnswer.unchecked(CitationBinding.bind(
        "<cite id=S_1>a</cite>(https://real.example/1) <cite id=S_1>b</cite>: c", Snippets.some(1)));
    assertTrue(model(answer, "answered").answer().startsWith("a [1]\\("));
    assertTrue(model(answer, "answered").answer().endsWith("b [1]\\: c"));
  }

  @Test
  void says_when_nothing_was_found_and_what_was_searched() {
    ReportInput empty = new ReportInput("e1", "Wie hoch ist der Turm?", FormatLabel.LONG_FORM,
        "no_evidence", CheckedAnswer.NOTHING, new Searched(12, 14, List.of("a.pdf: encrypted")),
        List.of(new ReportInput.Query("corpus", "Turm", 0)), List.of("Höhe"), List.of("seconds"),
        "p", "1", Optional.empty(), Optional.empty(), ReportUsage.NONE);
    String report = ReportMarkdown.render(empty);
    assertTrue(report.contains("Zu dieser Frage wurden keine Belege gefunden."), report);
    assertTrue(report.contains("12 von 14 Dokumenten; 2 unlesbar"), report);
    assertTrue(report.contains("a.pdf: encrypted") && report.contains("- Höhe"), report);
    assertTrue(report.contains("Die Recherche endete vorzeitig: die Zeitgrenze"), report);
    assertEquals(List.of(), ReportModel.of(empty).citations());
  }

  @Test
  void says_in_its_own_language_why_a_document_was_not_searched() {
    Searched searched =
        new Searched(
            1, 3, List.of("a.pdf: encrypted: …", "b.pdf: scanned: …"),
            List.of(
                new Searched.Unread("a.pdf", UnreadableKind.ENCRYPTED, ""),
                new Searched.Unread("b.pdf", UnreadableKind.SCANNED, "7")));
    ReportInput input = new ReportInput("e1", "Wie hoch ist der Turm?", FormatLabel.LONG_FORM,
        "no_evidence", CheckedAnswer.NOTHING, searched, List.of(), List.of(), List.of(),
        "p", "1", Optional.empty(), Optional.empty(), ReportUsage.NONE);
    assertEquals(
        List.of(
            "a.pdf: verschlüsselt: nur mit einem Passwort zu öffnen",
            "b.pdf: gescannt: seine 7 Seiten enthalten nur Bilder; Texterkennung ist aus"),
        ReportModel.of(input).unreadable());
    assertTrue(ReportMarkdown.render(input).contains("- b.pdf: gescannt: seine 7 Seiten"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "How tall is the tower?#en", "Wie hoch ist der Turm?#de", "Quelle est la hauteur de la tour ?#fr",
        "¿Cuál es la altura de la torre?#es", "Qual é a altura da torre?#pt",
        "Qual è l'altezza della torre?#it", "Wat is de hoogte van het gebouw?#nl",
        "Jaka jest wysokość tej wieży?#pl", "Kulenin yüksekliği ne kadar?#tr",
        "Какова высота башни?#ru", "ما هو ارتفاع البرج؟#ar", "מה גובה המגדל?#he",
        "埃菲尔铁塔有多高？#zh", "タワーの高さは？#ja", "탑의 높이는?#ko", "12 + 5?#en",
        "Why did Müller leave München?#en",
      })
  void guesses_the_language_of_a_question(String question, String tag) {
    assertEquals(tag, ReportLanguage.of(question).tag());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "Wie hoch ist der Turm?#Der Turm misst 330 m#de", "埃菲尔铁塔有多高？#高330米#zh",
        "ما هو ارتفاع البرج؟#330 مترًا#ar",
      })
  void R12_all_of_ours_is_in_the_language_of_the_question_and_quotes_stay_in_theirs(
      String question, String claim, String tag) {
    CheckedAnswer answer = CheckedAnswer.unchecked(
        CitationBinding.bind("<cite id=S_1>" + claim + "</cite>", Snippets.some(1)));
    ReportModel model =
        ReportModel.of(ReportInput.of("e1", question, FormatLabel.LONG_FORM, "answered", answer));
    String report = ReportMarkdown.render(model);
    assertEquals(tag, model.language());
    assertEquals(tag.equals("ar"), model.isRightToLeft());
    assertTrue(report.contains("## " + ReportLanguage.ofTag(tag).say(Phrase.REFERENCES)), report);
    String english = ReportLanguage.ENGLISH.say(Phrase.REFERENCES);
    assertFalse(report.contains(english), report);
    assertTrue(report.contains(claim) && report.contains(Snippets.some(1).getFirst().passage()
        .title()), report);
    model.references().getFirst().uses().forEach(
        use -> assertTrue(
            report.contains(Quotation.of(tag, MarkdownText.escape(use.quote()))), report));
  }

  @ParameterizedTest
  @EnumSource(ReportLanguage.class)
  void every_language_has_every_phrase_with_the_same_places(ReportLanguage language) {
    for (Phrase phrase : Phrase.values()) {
      String text = language.say(phrase, 101, 102, 103);
      assertFalse(text.isBlank());
      for (String number : List.of("101", "102", "103")) {
        assertEquals(
            ReportLanguage.ENGLISH.say(phrase, 101, 102, 103).contains(number),
            text.contains(number), phrase + " " + text);
      }
    }
    assertEquals(Phrase.values().length, PhraseTexts.TEXTS.get(language.tag()).lines().count());
  }
}
