package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rubricem.protocol.learning.FixedChoice;
import rubricem.protocol.learning.LearnerOptions;

/**
 * Every option of the table of options has its key, with its default and a word about it, or is
 * refused with a reason; and what is read changes what somebody does.
 */
class LearnerOptionsTableTest {
  private static final Config DEFAULTS = ConfigFactory.load();
  private static final String SECTION = "rubricem.learner.";
  private static final Path TABLE = Path.of("src", "test", "resources", "learner-options.tsv");

  /** Sections that say where and how long it learns, and not how; TrainingConfigTest has them. */
  private static final Set<String> MACHINERY =
      Set.of("device", "optimiser", "schedule", "checkpoints", "supervised");

  private static final String PATTERN = "SurrogateLoss asks for it through Objective";
  private static final String REFUSAL = "a filtered sampler and a ratio to it are refused together";

  /** What this test cannot see, and what acts all the same. */
  private static final Map<String, String> SEEN_OTHERWISE =
      Map.of(
          "Clipped.low", PATTERN, "Clipped.high", PATTERN, "Gspo.low", PATTERN, "Gspo.high",
          PATTERN, "Cispo.low", PATTERN, "Cispo.high", PATTERN, "Sampling.topP", REFUSAL,
          "Sampling.topK", REFUSAL);

  /** A line of the table. */
  record Option(int row, String key, String usual, String other, String beside) {
    boolean fixed() {
      return key.startsWith("fixed.");
    }
  }

  static List<Option> table() throws IOException {
    List<Option> out = new ArrayList<>();
    for (String line : Files.readAllLines(TABLE)) {
      if (!line.startsWith("#")) {
        String[] cells = line.split("\t", -1);
        out.add(new Option(Integer.parseInt(cells[0]), cells[2], cells[3], cells[4], cells[5]));
      }
    }
    return out;
  }

  @Test
  void each_of_the_35_rows_is_there_and_no_key_is_left_over() throws IOException {
    assertEquals(
        IntStream.rangeClosed(1, 35).boxed().collect(Collectors.toSet()),
        table().stream().map(Option::row).collect(Collectors.toSet()));
    Set<String> known = new TreeSet<>();
    DEFAULTS.getConfig("rubricem.learner").entrySet().forEach(e -> known.add(e.getKey()));
    known.removeIf(key -> MACHINERY.contains(key.split("\\.")[0]));
    assertEquals(known, table().stream().map(Option::key).collect(Collectors.toSet()));
    assertEquals(
        Stream.of(FixedChoice.values()).map(c -> "fixed." + c.key()).collect(Collectors.toSet()),
        table().stream().filter(Option::fixed).map(Option::key).collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @MethodSource("table")
  void a_key_has_its_default_and_a_word_about_it(Option option) {
    assertTrue(DEFAULTS.hasPath(SECTION + option.key()), option.key());
    assertTrue(commented(option.key()), "nothing is said about " + option.key());
    if (!option.usual().isEmpty()) {
      Config expected = ConfigFactory.parseString("v = " + option.usual());
      assertEquals(
          expected.getValue("v").unwrapped().toString(),
          DEFAULTS.getValue(SECTION + option.key()).unwrapped().toString(), option.key());
    }
  }

  /** Its own comment, or that of the section it lies in. */
  private static boolean commented(String key) {
    for (String path = SECTION + key; path.length() > SECTION.length(); ) {
      if (!DEFAULTS.getValue(path).origin().comments().isEmpty()) {
        return true;
      }
      path = path.substring(0, path.lastIndexOf('.'));
    }
    return false;
  }

  private static Config set(Config over, String setting) {
    return setting.isEmpty()
        ? over
        : ConfigFactory.parseString(SECTION + setting).withFallback(over);
  }

  @ParameterizedTest
  @MethodSource("table")
  void another_value_changes_what_is_done_or_is_refused_with_a_reason(Option option) {
    Config before = set(DEFAULTS, option.beside());
    Config after = set(before, option.key() + " = " + option.other());
    if (option.fixed()) {
      var refused = assertThrows(ConfigException.class, () -> LearnerConfig.options(after));
      String reason =
          FixedChoice.refusal(option.key().substring("fixed.".length()), option.other())
              .orElseThrow();
      assertTrue(reason.length() > 60, option.key() + ": " + reason);
      assertTrue(refused.getMessage().contains(reason), refused.getMessage());
      assertTrue(refused.getMessage().contains(option.key()), refused.getMessage());
      return;
    }
    assertNotEquals(
        LearnerConfig.options(before) + " " + TrainingConfig.of(before).adapterTargets(),
        LearnerConfig.options(after) + " " + TrainingConfig.of(after).adapterTargets(),
        option.key() + " is not read");
  }

  /** A part of the options that nobody outside asks for would be a promise that nobody keeps. */
  @Test
  void every_part_of_the_options_is_acted_on() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("rubricem");
    Set<String> idle = new TreeSet<>();
    int parts = 0;
    for (JavaClass type : classes) {
      if (type.getPackageName().equals("rubricem.protocol.learning")
          && type.reflect().isRecord() && reachable(type, new HashSet<>())) {
        for (RecordComponent part : type.reflect().getRecordComponents()) {
          parts++;
          if (!acted(type, part.getName())) {
            idle.add(type.getSimpleName() + "." + part.getName());
          }
        }
      }
    }
    assertTrue(parts > 40, parts + " parts were looked at");
    assertTrue(idle.containsAll(SEEN_OTHERWISE.keySet()), idle + " does not need the exceptions");
    idle.removeAll(SEEN_OTHERWISE.keySet());
    assertEquals(Set.of(), idle, "read from the configuration and used by nobody");
  }

  /** Whether the options are made of it. */
  private static boolean reachable(JavaClass type, Set<JavaClass> seen) {
    String options = LearnerOptions.class.getName();
    return seen.add(type)
        && (type.getName().equals(options)
            || Stream.concat(
                    Stream.of(type), type.getAllRawInterfaces().stream())
                .flatMap(t -> t.getFieldsWithTypeOfSelf().stream())
                .map(field -> field.getOwner())
                .anyMatch(owner -> reachable(owner, seen)));
  }

  private static boolean acted(JavaClass type, String part) {
    Set<JavaCodeUnit> seen = new HashSet<>();
    return Stream.concat(
            type.getField(part).getAccessesToSelf().stream(), users(type.getMethod(part)))
        .anyMatch(access -> lives(access.getOrigin(), seen));
  }

  private static Stream<JavaAccess<?>> users(JavaMethod method) {
    return Stream.concat(
        method.getCallsOfSelf().stream(), method.getReferencesToSelf().stream());
  }

  /** Code outside the protocol and the configuration, or what such code calls. */
  private static boolean lives(JavaCodeUnit code, Set<JavaCodeUnit> seen) {
    if (code.getName().matches("<init>|equals|hashCode|toString|with") || !seen.add(code)) {
      return false;
    }
    String owner = code.getOwner().getPackageName();
    if (!owner.startsWith("rubricem.protocol") && !owner.equals("rubricem.app.node")) {
      return true;
    }
    return code instanceof JavaMethod method
        && users(method).anyMatch(access -> lives(access.getOrigin(), seen));
  }
}
