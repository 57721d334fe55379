package rubricem.actors.extractive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.eval.retrieval.QuestionRun;
import rubricem.protocol.scaffold.FormatLabel;

/** Five short files and the real model: what is there is found, the rest is not made up. */
class SmallCorporaTest {
  static final Map<String, String> FILES =
      Map.of(
          "coffee.md", """
              # Barista One

              ## Descaling
              Run the descaling programme every 200 cups. Fill the tank with one litre of water and
              one sachet of citric acid, then hold the steam button for five seconds.

              ## Lights
              A red lamp means that the water tank is empty. A blinking red lamp means that the
              grounds container is full.
              """,
          "bees.md", """
              # Keeping bees

              ## Winter
              A colony needs about 18 kilograms of honey to get through the winter. Reduce the
              entrance in October so that mice stay out.

              ## Swarming
              Swarms leave between May and June. Cutting the queen's wing delays a swarm but does
              not prevent it.
              """,
          "club.md", """
              # Statutes of the hiking club

              ## Membership
              The yearly fee is 45 euros; students pay 20 euros. Membership ends at the end of the
              year when it is cancelled in writing by 30 September.

              ## Board
              The board consists of the chair, the treasurer and the hut warden. It is elected for
              three years.
              """,
          "travel.md", """
              # Travel expenses

              Receipts are handed in within 30 days. A private car is paid with 0.30 euros per
              kilometre. First class rail is allowed above a travel time of four hours.
              """,
          "router.md", """
              # Router guide

              ## Guest network
              The guest network is switched off by default. Open the menu Wireless and enable it;
              guests cannot reach devices at home.

              ## Reset
              Press the small button on the back for ten seconds to restore factory settings. The
              password printed on the label then applies again.
              """);

  static final Map<String, String> ANSWERABLE =
      Map.of(
          "How often do I have to descale the coffee machine?", "every 200 cups",
          "My machine shows a blinking red light. What is wrong?", "grounds container is full",
          "How much food does a hive need for the cold season?", "18 kilograms",
          "Does clipping the queen stop the swarm?", "delays a swarm",
          "What does a student pay per year in the club?", "20 euros",
          "Until when must I give notice to leave the club?", "30 September",
          "What do I get back for driving to a customer in my own car?", "0.30 euros",
          "I forgot the wifi password, how do I go back to the original settings?", "ten seconds",
          "Wie lange darf ich mit dem Einreichen der Belege für die Reise warten?",
          "within 30 days",
          "Is the network for visitors enabled out of the box?", "switched off by default");

  static final List<String> UNANSWERABLE =
      List.of(
          "Capital of France?",
          "How do I bake sourdough bread?",
          "Who won the football world cup in 2014?",
          "What is the melting point of tungsten?",
          "Wie beantrage ich Elterngeld in Bayern?",
          "Which visa do I need for Japan?",
          "How do I train a neural network with PyTorch?",
          "Comment soigner une entorse de la cheville ?",
          "What did the central bank decide about interest rates last week?",
          "How many moons does Jupiter have?");

  @TempDir static Path folder;
  @AutoClose private static AskedDocuments documents;

  @BeforeAll
  static void index() throws IOException, InterruptedException {
    documents = new AskedDocuments(folder, FILES);
  }

  private static QuestionRun.Result ask(String question) {
    return documents.ask(question, FormatLabel.LONG_FORM);
  }

  @Test
  void what_is_there_is_found_and_quoted() {
    List<String> missed = new ArrayList<>();
    ANSWERABLE.forEach((question, fact) -> {
      QuestionRun.Result run = ask(question);
      assertEquals("", run.fault().orElse(""), question);
      String answer = run.answer().orElseThrow();
      if (!answer.contains(fact)) {
        missed.add(question + " -> " + answer);
      }
    });
    assertEquals(List.of(), missed);
  }

  @Test
  void what_is_not_there_is_not_answered() {
    List<String> answered = new ArrayList<>();
    for (String question : UNANSWERABLE) {
      QuestionRun.Result run = ask(question);
      if (!run.cited().isEmpty()) {
        answered.add(question + " -> " + run.answer().orElseThrow());
      }
      assertTrue(run.calls().size() <= 4, question + " took " + run.calls().size());
    }
    assertEquals(List.of(), answered);
  }

  /** A part that nothing speaks of must not be answered by what the other part is about. */
  @Test
  void the_part_that_is_not_there_is_named_and_the_other_is_answered() {
    List<String> wrong = new ArrayList<>();
    ANSWERABLE.forEach((question, fact) -> {
      for (String other : UNANSWERABLE) {
        told(question + " " + other, fact, other).ifPresent(wrong::add);
        told(other + " " + question, fact, other).ifPresent(wrong::add);
      }
    });
    assertEquals(List.of(), wrong);
  }

  /** What is wrong with the answer to {@code both}. */
  private static Optional<String> told(String both, String fact, String missing) {
    QuestionRun.Result run = ask(both);
    String review = run.turns().getLast().review().orElseThrow().rubricReview();
    boolean named =
        review.lines().anyMatch(
            l -> l.contains(": " + missing.replaceAll("\\s*[?]$", "")) && l.endsWith("— not met"));
    boolean right = named && run.answer().orElseThrow().contains(fact);
    return right ? Optional.empty() : Optional.of(both + " -> " + review);
  }
}
