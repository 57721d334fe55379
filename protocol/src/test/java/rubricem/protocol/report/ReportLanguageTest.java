package rubricem.protocol.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small words that two languages share must not decide against the others. */
class ReportLanguageTest {
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
      })
  void a_question_is_answered_in_its_language(String tag, String question) {
    assertEquals(tag, ReportLanguage.of(question).tag());
  }
}
