package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProblemTest {
  @Test
  void what_is_said_is_made_of_sentences_that_begin_with_a_capital() {
    Problem.Kind failed = Problem.Kind.EPISODE_FAILED;
    assertEquals(
        "The episode failed. The server fell silent.",
        Problem.of(failed, "the server fell silent.").said());
    assertEquals(
        "A parameter cannot be used. after: unknown.",
        Problem.of(Problem.Kind.INVALID_PARAMETER, "after: unknown.").said());
    assertEquals("The episode failed. ", Problem.of(failed, "").said());
  }
}
