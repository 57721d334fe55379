package rubricem.actors.extractive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.protocol.report.ReportLanguage;

class AnaphoraTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock = """
          ENGLISH | how often must its filter be changed     | true
          ENGLISH | which of these settings are safe to raise | true
          ENGLISH | who won the football world cup in 1990   | false
          ENGLISH | capital of France                        | false
          ENGLISH | why                                      | true
          ENGLISH | how are items in italics shown           | false
          GERMAN  | wie oft muss sein Filter gewechselt werden | true
          GERMAN  | wovon hängt die Laufzeit dabei ab        | true
          GERMAN  | welches Visum brauche ich für Japan      | false
          FRENCH  | combien coûte son entretien              | true
          FRENCH  | comment soigner une entorse              | false
          SPANISH | cuándo fue fundada en Madrid             | true
          RUSSIAN | когда основан город Москва               | true
          """)
  void a_part_points_back_by_its_words(ReportLanguage language, String part, boolean points) {
    assertEquals(points, Anaphora.in(part, language));
  }
}
