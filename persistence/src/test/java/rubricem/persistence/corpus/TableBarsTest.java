package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bar between the cells of a row says nothing, and in program text it is a sign. */
class TableBarsTest {
  private static final String OUTPUT = " class | value\n-------+-------\n     1 |    10";
  private static final String GRAMMAR = "{ ADD COLUMN\n| DROP COLUMN }";

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          '| Name | Size |', 2
          'Sizes\n| a | 1 |\n| b | 2 |', 5
          '| a | 1 |\n', 2
          '| a | b|c ||', 3
          '|', 1
          '| a', 2
          'ls | wc', 3
          ' a | b', 3
          """)
  void only_the_bars_of_a_row_are_no_words(String text, int words) {
    assertEquals(words, Words.count(text.replace("\\n", "\n")));
  }

  @Test
  void program_text_is_measured_with_its_bars() {
    assertEquals(7, Words.count(OUTPUT));
    assertEquals(7, Words.count(GRAMMAR));
  }

  @Test
  void vectors_are_of_rows_without_bars_and_of_program_text_as_it_stands() {
    String table = "Before.\n| a | b|c |\n|  | 2 |\nls | wc";
    assertEquals(
        "T Before. a b|c 2 ls | wc",
        PassageDocument.embedded("T", "", table).replaceAll("\\s+", " "));
    assertEquals("T\n" + OUTPUT, PassageDocument.embedded("T", "", OUTPUT));
    assertEquals("T\n" + GRAMMAR, PassageDocument.embedded("T", "", GRAMMAR));
  }
}
