package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a newcomer reads first. */
class HelpTest {
  private static String help(String... command) {
    PrintStream out = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      String[] args = java.util.Arrays.copyOf(command, command.length + 1);
      args[command.length] = "--help";
      assertEquals(0, Rubricem.run(args));
      // lines are folded to the width of the terminal
      return said.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " ");
    } finally {
      System.setOut(out);
    }
  }

  @Test
  void the_front_page_has_every_exit_code_and_examples() {
    String help = help();
    for (String part :
        List.of(
            " 0 Done", " 1 The work failed", " 2 Wrong usage", " 3 ask only", " 130 Interrupted",
            "./rubricem ask \"How", "--policy openai:http://localhost:8000/v1#my-model",
            "./rubricem replay ID", "./rubricem test")) {
      assertTrue(help.contains(part), part + " in " + help);
    }
  }

  @Test
  void exit_codes_are_what_the_program_returns() {
    String help = help();
    for (int code : List.of(0, Failure.WORK_FAILED, Failure.USAGE, Failure.NO_EVIDENCE)) {
      assertTrue(help.contains(" " + code + " "), code + " in " + help);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"episodes", "replay", "bench", "verify-learner"})
  void what_prints_an_object_a_line_says_so(String command) {
    assertTrue(help(command).contains("With --json: JSON Lines, one "), help(command));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ask", "index", "replay", "doctor", "bench", "verify-learner", "train-step",
        "export-script", "sft"
      })
  void a_command_with_arguments_shows_how_it_is_given(String command) {
    assertTrue(
        help(command).matches(".*Examples?: \\./rubricem " + command + " .*"), help(command));
  }
}
