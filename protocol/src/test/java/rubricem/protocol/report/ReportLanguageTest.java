package rubricem.protocol.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.evidence.UnreadableKind;

/** Small words that two languages share must not decide against the others. */
class ReportLanguageTest {
  @Test
  void every_language_says_every_reason_with_its_detail() {
    for (ReportLanguage language : ReportLanguage.values()) {
      for (UnreadableKind kind : UnreadableKind.values()) {
        String said = language.say(kind, "4711");
        assertFalse(said.isBlank(), language + " " + kind);
        assertEquals(
            kind.reason("4711").contains("4711"), said.contains("4711"), language + " " + said);
        boolean own = language == ReportLanguage.ENGLISH || kind == UnreadableKind.OTHER;
        assertEquals(own, said.equals(kind.reason("4711")), language + " " + said);
      }
    }
  }

  @Test
  void every_language_says_what_ended_the_research_in_its_own_words() {
    List<FinishCause> limits =
        Stream.of(FinishCause.values()).filter(FinishCause::limit).toList();
    assertEquals(limits.stream().map(FinishCause::label).toList(), LimitTexts.LABELS);
    for (FinishCause cause : limits) {
      assertEquals(cause.words(), ReportLanguage.ENGLISH.limit(cause.label()));
      for (ReportLanguage language : ReportLanguage.values()) {
        String said = language.limit(cause.label());
        assertFalse(said.isBlank(), language + " " + cause);
        assertEquals(
            language == ReportLanguage.ENGLISH, said.equals(cause.words()), language + " " + said);
      }
    }
    assertEquals("an older text", ReportLanguage.GERMAN.limit("an older text"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "en; 1 passage; 1 of 1 document; 1 of 2 documents",
        "de; 1 Fundstelle; 1 von 1 Dokument; 1 von 2 Dokumenten",
        "fr; 1 passage; 1 document sur 1; 1 document sur 2",
        "es; 1 pasaje; 1 de 1 documento; 1 de 2 documentos",
        "pt; 1 trecho; 1 de 1 documento; 1 de 2 documentos",
        "it; 1 passaggio; 1 documento su 1; 1 documento su 2",
        "nl; 1 passage; 1 van 1 document; 1 van 2 documenten",
        "pl; fragmenty: 1; Dokumenty: 1 z 1; Dokumenty: 1 z 2",
        "ru; фрагменты: 1; Документы: 1 из 1; Документы: 1 из 2",
        "tr; 1 parça; 1 belgeden 1 tanesi; 2 belgeden 1 tanesi",
        "ar; المقاطع: 1; الوثائق: 1 من 1; الوثائق: 1 من 2",
        "he; קטעים: 1; מסמכים: 1 מתוך 1; מסמכים: 1 מתוך 2",
        "zh; 1 个段落; 1 份文档中的 1 份; 2 份文档中的 1 份",
        "ja; 1 件の箇所; 文書 1 件中 1 件; 文書 2 件中 1 件",
        "ko; 1개 단락; 문서 1건 중 1건; 문서 2건 중 1건",
      })
  void one_thing_is_no_plural(String tag, String passage, String only, String oneOfTwo) {
    ReportLanguage language = ReportLanguage.ofTag(tag);
    assertEquals(passage, language.say(Phrase.PASSAGES, 1));
    assertEquals(only, language.say(Phrase.DOCUMENTS, 1, 1));
    assertEquals(oneOfTwo, language.say(Phrase.DOCUMENTS, 1, 2));
  }

  @Test
  void several_things_are_a_plural_and_no_place_stays_open() {
    assertEquals("2 passages", ReportLanguage.ENGLISH.say(Phrase.PASSAGES, 2));
    assertEquals("0 passages", ReportLanguage.ENGLISH.say(Phrase.PASSAGES, 0));
    assertEquals("0 passage", ReportLanguage.FRENCH.say(Phrase.PASSAGES, 0));
    for (ReportLanguage language : ReportLanguage.values()) {
      for (Phrase phrase : Phrase.values()) {
        for (int number : new int[] {0, 1, 2}) {
          String said = language.say(phrase, number, number, number);
          assertFalse(said.matches(".*[{}|].*"), language + " " + said);
        }
      }
    }
  }

  /** What is put in is never read as a place of its own. */
  @Test
  void texts_with_braces_stay_as_they_are() {
    assertEquals(
        "The research ended early: {0:a|b} $1",
        ReportLanguage.ENGLISH.say(Phrase.LIMIT_REACHED, "{0:a|b} $1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "en | How do I install PostgreSQL on Windows?",
        "en | Can I do this on Windows?",
        "en | What do I do on failure?",
        "en | Do I need to run analyze on indexes?",
        "pl | Jak zainstalować serwer w systemie Windows i kiedy jest to możliwe?",
        "pt | Quem pintou a Mona Lisa?",
        "de | Wie oft wird der Docht gekürzt?",
        "en | autovacuum_freeze_max_age",
        "he | מה גובה המגדל (Eiffel Tower) לפי הספר \"The Tower, a History of Iron\"?",
        "ar | ما معنى «the quick brown fox jumps over the lazy dog» هنا؟",
        "en | \"quick brown fox\"",
        "en | What is meant by „der Zug der Zeit und die Uhr“?",
      })
  void a_question_is_answered_in_its_language(String tag, String question) {
    assertEquals(tag, ReportLanguage.of(question).tag());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "en | “Iron”", "de | „Iron“", "fr | «\u00A0Iron\u00A0»", "es | «Iron»", "pt | “Iron”",
        "it | «Iron»", "nl | “Iron”", "pl | „Iron”", "tr | “Iron”", "ru | «Iron»", "ar | «Iron»",
        "he | ”Iron”", "zh | “Iron”", "ja | 「Iron」", "ko | “Iron”",
      })
  void a_quote_stands_between_the_marks_of_the_report_s_language(String tag, String quoted) {
    assertEquals(quoted, Quotation.of(tag, "Iron"));
  }
}
