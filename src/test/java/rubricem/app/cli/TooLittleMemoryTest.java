package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said where Java's heap is too small for a model. */
class TooLittleMemoryTest {
  @ParameterizedTest
  @CsvSource({"1073741824, 1.1, 2", "3221225472, 3.2, 6", "200000000, 0.2, 2"})
  void the_figure_and_what_to_do(long heap, String has, int wants) {
    assertEquals(
        "There is too little memory for this: Java may have " + has + " GB (Java heap space)."
            + " RUBRICEM_HEAP=" + wants + "g before the command gives it more.",
        Rubricem.tooLittleMemory(heap, "Java heap space"));
  }
}
