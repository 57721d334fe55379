package rubricem.protocol.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
