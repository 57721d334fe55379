package rubricem.actors.extractive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import rubricem.protocol.report.ReportLanguage;

class FacetsTest {
  private static List<String> parts(String question) {
    return Facets.read(question).facets().stream().map(Facet::text).toList();
  }

  @Test
  void one_thing_asked_is_one_part() {
    assertEquals(List.of("Capital of France"), parts("Capital of France?"));
    assertEquals(
        List.of("How do bees survive the winter"), parts("How do bees survive the winter?"));
  }

  @Test
  void clauses_that_ask_by_themselves_are_parts() {
    assertEquals(
        List.of("Which pump feeds the boiler", "how often must its filter be changed"),
        parts("Which pump feeds the boiler, and how often must its filter be changed?"));
    assertEquals(
        List.of("Welche Pumpe speist den Kessel", "wie oft wird ihr Filter gewechselt"),
        parts("Welche Pumpe speist den Kessel und wie oft wird ihr Filter gewechselt?"));
    assertEquals(
        List.of("Quelle pompe alimente la chaudière", "quand faut-il changer son filtre"),
        parts("Quelle pompe alimente la chaudière et quand faut-il changer son filtre ?"));
    assertEquals(List.of("哪个水泵给锅炉供水", "过滤器怎样更换"), parts("哪个水泵给锅炉供水，过滤器怎样更换？"));
  }

  @Test
  void sides_of_a_comparison_are_parts() {
    assertEquals(
        List.of("wool socks", "cotton socks"),
        parts("What is the difference between wool socks and cotton socks?"));
    assertEquals(
        List.of("steel frames", "carbon frames"), parts("steel frames versus carbon frames"));
  }

  @Test
  void each_of_several_things_compared_is_a_part() {
    assertEquals(
        List.of("wool", "cotton", "silk"),
        parts("What is the difference between wool, cotton and silk?"));
    assertEquals(
        List.of("soap", "vinegar", "which is cheaper"),
        parts("Compare cleaning a pan with soap and with vinegar: which is cheaper?"));
  }

  @Test
  void a_list_is_no_list_of_parts() {
    assertEquals(1, parts("How do I clean pots, pans and cups?").size());
    assertEquals(
        List.of("What do I need for the boiler: a pump, a filter and a valve"),
        parts("What do I need for the boiler: a pump, a filter and a valve?"));
    assertEquals(
        List.of("Which of these needs oil - the pump, the boiler"),
        parts("Which of these needs oil - the pump, the boiler?"));
    assertEquals(1, parts("怎样清洗锅、盘和杯子？").size());
    assertEquals(1, parts("Is a pump vs. a siphon dearer, e.g. In winter?").stream()
        .filter(p -> p.contains("winter")).count());
  }

  @Test
  void a_part_is_a_stretch_of_the_question() {
    assertEquals(
        List.of("What is the longest pipe a pump can have, and how many can it have"),
        parts("What is the longest pipe a pump can have, and how many can it have?"));
    assertEquals(
        List.of("Which valve leaks", "which pump hums"),
        parts("Which valve leaks: and which pump hums?"));
  }

  @Test
  void the_situation_told_is_no_part_but_is_leant_on() {
    Question question =
        Facets.read("The red lamp of my boiler is on. Which pump feeds it? The house is old.");
    assertEquals(
        List.of("Which pump feeds it"), question.facets().stream().map(Facet::text).toList());
    Facet asked = question.facets().getFirst();
    assertTrue(asked.phrasings().getFirst().text().contains("red lamp"), asked.toString());
    assertEquals(
        List.of("My boiler is cold and the lamp is red"),
        parts("My boiler is cold and the lamp is red."));
  }

  @Test
  void a_part_that_says_little_leans_on_the_one_before() {
    Facet second = Facets.read("Which pump feeds the boiler? How loud is it?").facets().get(1);
    assertEquals("How loud is it", second.text());
    assertTrue(second.phrasings().getFirst().text().contains("pump feeds the boiler"));
    assertEquals(Set.of("loud"), second.own().getFirst().terms());
  }

  @Test
  void clauses_that_ask_the_same_of_another_thing_are_parts() {
    assertEquals(
        List.of("How much is the Cedar plan", "how much is the Birch plan"),
        parts("How much is the Cedar plan and how much is the Birch plan?"));
    assertEquals(
        List.of("When do bees fly", "when is the moon full"),
        parts("When do bees fly & when is the moon full"));
    assertEquals(2, parts("How many hives are there, plus who is the king of Spain?").size());
    assertEquals(2, parts("Quanto costa il piano Birch e chi è il re di Spagna?").size());
    assertEquals(2, parts("Сколько стоит тариф Birch и кто король Испании?").size());
    assertEquals(2, parts("Ile kosztuje plan Birch i kto jest królem Hiszpanii?").size());
  }

  @Test
  void a_sentence_that_adds_no_word_is_no_part() {
    assertEquals(1, parts("My pump is loud. Is such a pump of any use?").size());
  }

  @Test
  void knows_what_kind_of_answer_is_wanted() {
    assertEquals(Facet.Wanted.AMOUNT, wanted("How many bees live in a hive?"));
    assertEquals(Facet.Wanted.DEFAULT, wanted("What is the default size of a page?"));
    assertEquals(Facet.Wanted.DEFAULT, wanted("How many retries are made, out of the box?"));
    assertEquals(Facet.Wanted.DEFAULT, wanted("Wie viele Versuche sind voreingestellt?"));
    assertEquals(Facet.Wanted.AMOUNT, wanted("最多可以有多少个连接？"));
    assertEquals(Facet.Wanted.ANYTHING, wanted("Why do bees dance?"));
  }

  private static Facet.Wanted wanted(String question) {
    return Facets.read(question).facets().getLast().wanted();
  }

  @Test
  void names_are_words_that_are_written_as_names() {
    assertEquals(
        Set.of("kubernet", "aws", "max_size"),
        Facets.read("Which value of max_size fits Kubernetes on AWS?").names());
    assertEquals(Set.of(), Facets.read("Our pump stopped. What now?").names());
    assertEquals(Set.of("nasa"), Facets.read("Welche Rakete startet die NASA im Sommer?").names());
  }

  @Test
  void a_question_in_another_language_is_also_put_in_english() {
    Question german = Facets.read("Wie verhindere ich, dass die Datenbank abstürzt?");
    assertEquals(ReportLanguage.GERMAN, german.language());
    String english = german.phrasings().getLast().text();
    assertTrue(english.contains("prevent") && english.contains("database"), english);
    assertTrue(Facets.read("怎样恢复数据库的备份？").phrasings().getLast().text()
        .contains("recovery restore database backup"));
    assertEquals(1, Facets.read("How do I restore the database?").phrasings().size());
  }

  /** One word that is in no glossary must not hide the others, nor pass as understood. */
  @Test
  void words_that_are_in_no_glossary_are_told_apart_and_set_aside() {
    Question german =
        Facets.read("Wie verhindere ich in der Datenbank das Bläffwerden meiner Tabellen?");
    assertEquals(List.of("Bläffwerden"), german.unknown());
    assertEquals(3, german.phrasings().size());
    assertTrue(german.phrasings().get(1).text().contains("Bläffwerden"));
    assertFalse(german.phrasings().get(2).text().contains("Bläffwerden"));
    assertEquals(List.of(), Facets.read("Which frobnicator do I need?").unknown());
    assertEquals("flexibility", Glossary.english("Flexibilität", ReportLanguage.GERMAN));
    assertEquals("publication", Glossary.english("Publikation", ReportLanguage.GERMAN));
  }

  @Test
  void compounds_are_taken_apart_and_unknown_words_stay() {
    String english = Glossary.english("Transaktionsprotokoll Wumpus", ReportLanguage.GERMAN);
    assertEquals("transaction log protocol Wumpus", english);
  }

  @Test
  void a_text_without_words_has_no_parts() {
    assertEquals(List.of(), parts(""));
    assertEquals(List.of(), parts("?!… \uD800"));
    assertEquals(List.of(), parts("what is it?"));
  }

  @Test
  void a_very_long_question_is_read_by_its_beginning() {
    Question question = Facets.read("How deep is the lake? " + "and so on ".repeat(100_000));
    assertTrue(question.text().length() <= Facets.CHARS_MAX);
    assertTrue(question.facets().size() <= Facets.FACETS_MAX);
    assertFalse(question.facets().isEmpty());
  }
}
