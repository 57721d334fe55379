package rubricem.actors.extractive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.actors.extractive.Evidence.Found;
import rubricem.protocol.scaffold.BoxedAnswer;
import rubricem.protocol.scaffold.FormatLabel;

/** What is boxed where the answer stands in a table. */
class RowAnswerTest {
  private static final String PLANS =
      """
      | Plan | Monthly price | Storage | Support hours |
      | Willow | 9 EUR | 50 GB | weekdays |
      | Birch | 29 EUR | 500 GB | every day |""";

  private static final String FERRIES =
      """
      | Route | First departure | Last departure | Duration |
      | Lundy | 06:40 | 21:15 | 2 h 10 min |
      | Skomer | 08:05 | 17:30 | 35 min |""";

  private static final String ROOMS =
      """
      | Building | Room | Seats |
      | Alder House | A1 | 24 |
      | Alder House | A2 | 60 |
      | Maple House | M1 | 120 |""";

  private static final String GREASES =
      """
      |  | Summer grease | Winter grease | Spring grease |
      | Bearing | G20 | G10 | G15 |
      | Valve | G30 | G15 | G20 |
      | Rail | G40 | G45 |  |""";

  private static final String CREW = "| Name | Task | Cabin |\n| Ada Brandt | navigator | C4 |";

  private static final String FACTS = "Chief engineer: Ines Marrow\nVoltage: 750 V\nOpened: 1973";

  private static final String PARTS =
      """
      | Part | Material | Weight in grams |
      | PX-2636 | steel | 5075 |
      | PX-4939 | copper | 3682 |
      | PX-3682 | brass | 212 |""";

  private static final String FLAMES =
      "| Setting | Default |\n| flame.height | 12 |\n| flame.colour | amber |";

  private static final String TIMEOUTS = "timeout.write: 45 seconds\ntimeout.read: 5 seconds";

  private static String boxed(String question, String passage) {
    Question read = Facets.read(question);
    List<Found> found =
        List.of(new Found("S_1", "Ferry timetable", "", "tables.md", Optional.empty(), passage, 1));
    Ranking ranking = new Ranking(read, found, Likeness.NONE);
    Findings findings = Findings.of(read, ranking, ranking.best(8), 8, 2);
    return BoxedAnswer.extract(AnswerText.of(FormatLabel.EXACT_ANSWER, findings)).orElse("");
  }

  private static String cell(String asked, int row, String table) {
    Question question = Facets.read(asked);
    String[] lines = table.split("\n");
    return ExactAnswer.of(
        question, question.facets().getFirst(), lines[row], "", TableLines.cells(lines[row]),
        TableLines.cells(lines[0]));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "What is the material of PX-2636?; steel",
        "What is the material of PX 2636?; steel",
        "What is the material of PX-5075?; ''",
        "What is the material of PX-3682?; brass",
        "What is the default of flame.colour?; amber",
        "What is the default of flame.width?; ''",
        "What is the default of flame_height?; 12",
        "What does timeout.idle say?; ''",
      })
  void half_of_a_name_is_the_name_of_something_else(String question, String answer) {
    String passage =
        question.contains("PX") ? PARTS : question.contains("flame") ? FLAMES : TIMEOUTS;
    assertEquals(answer, boxed(question, passage));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "What is the length at keel of Dagny?; Dagny \\| 101 m \\| —",
        "Who is the captain of Dagny?; Dagny \\| 101 m \\| —",
        "What is the length overall of Dagny?; 101 m",
        "What is the length at keel of Alma?; 80 m",
      })
  void a_blank_cell_does_not_hand_over_to_its_neighbour(String question, String answer) {
    String table =
        """
        | Ferry | Length at keel | Length overall | Captain |
        | Dagny |  | 101 m | — |
        | Alma | 80 m | 92 m | Ida Berg |""";
    assertEquals(answer, cell(question, question.contains("Alma") ? 2 : 1, table));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          Which storage does Birch have?                ; 500 GB
          What is the storage of the Birch plan?        ; 500 GB
          What are the support hours of Willow?         ; weekdays
          Which plan has a storage of 500 GB?           ; Birch
          How much storage has Willow?                  ; 50 GB
          What do you know about Birch?                 ; Birch \\| 29 EUR \\| 500 GB \\| every day
          """)
  void the_cell_below_the_name_that_is_asked_for_or_all_of_the_row(String asked, String answer) {
    assertEquals(answer, boxed(asked, PLANS));
  }

  @Test
  void cells_that_are_named_tell_the_row_and_no_header_is_an_answer() {
    assertEquals("08:05", cell("When does the first ferry to Skomer leave?", 2, FERRIES));
    assertEquals("17:30", cell("When does the last ferry to Skomer leave?", 2, FERRIES));
    assertEquals("35 min", cell("What is the duration of the trip to Skomer?", 2, FERRIES));
    assertEquals("60", boxed("How many seats has room A2 in Alder House?", ROOMS));
  }

  @Test
  void an_empty_cell_at_the_end_of_a_row_or_header_is_one_too() {
    assertEquals("G15", boxed("Which winter grease has the valve?", GREASES));
    assertEquals("G10", boxed("Which winter grease has the bearing?", GREASES));
    assertEquals("G40", boxed("Which summer grease has the rail?", GREASES));
  }

  @Test
  void who_is_the_only_cell_that_could_be_a_person() {
    assertEquals("Ada Brandt", cell("Who is the navigator?", 1, CREW));
  }

  @Test
  void a_name_between_rows_does_not_end_their_table() {
    String quays =
        FERRIES.replace("| Lundy", "North\n| Lundy").replace("| Skomer", "South\n| Skomer");
    assertEquals("17:30", boxed("When does the last ferry to Skomer leave?", quays));
    TableLines lines = TableLines.of(quays + "\n\nWest\n| a | b | c | d |");
    Optional<String> header = FERRIES.lines().findFirst();
    assertEquals(header, lines.header("Lundy | 06:40 | 21:15 | 2 h 10 min"));
    assertEquals(header, lines.header("Skomer | 08:05 | 17:30 | 35 min"));
    assertEquals(Optional.empty(), lines.header("South"));
    assertEquals(Optional.empty(), lines.header("a | b | c | d"));
  }

  @Test
  void the_meaning_of_a_row_is_not_of_its_bars_and_that_of_program_text_is() {
    assertEquals("a b|c 2", TableLines.withoutBars("a | b|c | 2").replaceAll("\\s+", " "));
    assertEquals("x\n a b ", TableLines.withoutBars("x\n| a | b |").replaceAll(" +", " "));
    assertEquals("x\nls | wc", TableLines.withoutBars("x\nls | wc"));
  }

  @Test
  void the_value_behind_its_name() {
    assertEquals("750 V", boxed("What is the voltage?", FACTS));
    assertEquals("Ines Marrow", boxed("Who is the chief engineer?", FACTS));
    assertEquals("1973", boxed("When was it opened?", FACTS));
  }

  @Test
  void a_unit_alone_is_no_name() {
    String sentence = "The plan costs 29 EUR.";
    Question question = Facets.read("Which currency has the plan?");
    assertEquals(
        sentence,
        ExactAnswer.of(
            question, question.facets().getFirst(), sentence, "", List.of(sentence), List.of()));
  }
}
