package rubricem;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import rubricem.protocol.CborSerializable;
import rubricem.protocol.Transient;

/**
 * The walls between the rooms. Plain test methods on purpose: fields marked {@code @ArchTest} run
 * nothing under this Surefire, and say so nowhere.
 */
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(new ImportOption.DoNotIncludeJars())
          .importPackages("rubricem");

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.of(
          "protocol", List.of(),
          "persistence", List.of("protocol"),
          "gpu", List.of("protocol"),
          "http", List.of("protocol"),
          "eval", List.of("protocol"),
          "actors", List.of("protocol", "persistence"));

  @Test
  void there_is_something_to_check() {
    assertTrue(MAIN.size() > 20, "only " + MAIN.size() + " classes were found");
  }

  @Test
  void rooms_see_only_the_rooms_below_them() {
    Set<String> rooms = new TreeSet<>(MAY_IMPORT.keySet());
    rooms.add("app");
    MAY_IMPORT.forEach(
        (room, allowed) -> {
          String[] forbidden =
              rooms.stream()
                  .filter(other -> !other.equals(room) && !allowed.contains(other))
                  .map(other -> "rubricem." + other + "..")
                  .toArray(String[]::new);
          noClasses()
              .that().resideInAPackage("rubricem." + room + "..")
              .should().dependOnClassesThat().resideInAnyPackage(forbidden)
              .allowEmptyShould(true)
              .check(MAIN);
        });
  }

  @Test
  void sub_packages_of_a_room_have_no_cycles() {
    for (String room : MAY_IMPORT.keySet()) {
      slices().matching("rubricem." + room + ".(*)..").should().beFreeOfCycles()
          .allowEmptyShould(true).check(MAIN);
    }
  }

  @Test
  void a_room_is_the_package_of_its_folder() throws IOException {
    for (String room : List.of("protocol", "persistence", "actors", "gpu", "http")) {
      for (String tree : List.of("main", "test")) {
        Path root = Path.of(room, "src", tree, "java");
        if (Files.isDirectory(root)) {
          try (Stream<Path> files = Files.walk(root)) {
            List<Path> strays =
                files.filter(f -> f.toString().endsWith(".java"))
                    .filter(f -> !f.startsWith(root.resolve("rubricem").resolve(room)))
                    .toList();
            assertEquals(List.of(), strays);
          }
        }
      }
    }
  }

  @Test
  void libraries_stay_behind_their_walls() {
    onlyIn("ai.djl..", "rubricem.gpu..");
    onlyIn("org.apache.lucene..", "rubricem.persistence.corpus..");
    onlyIn("org.apache.tika..", "rubricem.persistence.corpus..");
    onlyIn("com.esotericsoftware..", "rubricem.persistence.serialization..");
    onlyIn("java.net.http..", "rubricem.http..");
    onlyIn("com.sun.net.httpserver..", "rubricem.http..");
    onlyIn("org.apache.pekko.http..", "rubricem.http..");
    onlyIn("java.sql..", "rubricem.persistence..");
    onlyIn("picocli..", "rubricem.app..");
    onlyIn("io.modelcontextprotocol..", "rubricem.http.server.mcp..");
    onlyIn("reactor..", "rubricem.http.server.mcp..");
  }

  private static void onlyIn(String library, String room) {
    noClasses()
        .that().resideOutsideOfPackage(room)
        .should().dependOnClassesThat().resideInAPackage(library)
        .allowEmptyShould(true)
        .check(MAIN);
  }

  @Test
  void protocol_imports_nothing_that_does_something() {
    classes()
        .that().resideInAPackage("rubricem.protocol..")
        .should().onlyDependOnClassesThat()
        .resideInAnyPackage(
            "rubricem.protocol..", "java.lang..", "java.util..", "java.time..", "java.net",
            "java.text..", "java.math..", "java.nio.charset..", "java.security",
            "org.apache.pekko.actor.typed..", "org.apache.pekko.cluster.sharding.typed..",
            "org.apache.pekko.pattern..", "com.fasterxml.jackson.annotation..", "org.jspecify..")
        .check(MAIN);
  }

  @Test
  void what_decides_and_folds_knows_no_actors() {
    for (String pure :
        List.of("rubricem.protocol.scaffold..", "rubricem.protocol.report..", "..credit..")) {
      noClasses().that().resideInAPackage(pure)
          .should().dependOnClassesThat().resideInAPackage("org.apache.pekko..")
          .allowEmptyShould(true).check(MAIN);
    }
    noClasses()
        .that().haveNameMatching(".*(Decider|State|Pruning|Window)")
        .should().dependOnClassesThat().resideInAPackage("org.apache.pekko..")
        .allowEmptyShould(true).check(MAIN);
  }

  @Test
  void clock_ids_and_chance_are_parameters() {
    noClasses()
        .that().resideOutsideOfPackages("rubricem.app..")
        .should().callMethod(java.time.Instant.class, "now")
        .orShould().callMethod(System.class, "currentTimeMillis")
        .orShould().callMethod(java.util.UUID.class, "randomUUID")
        .orShould().callMethod(Math.class, "random")
        .orShould().callConstructor(java.util.Random.class)
        .orShould().callMethod(Thread.class, "sleep", long.class)
        .check(MAIN);
  }

  @Test
  void only_the_command_line_prints() {
    noClasses()
        .that().resideOutsideOfPackages("rubricem.app..")
        .should().accessField(System.class, "out")
        .orShould().accessField(System.class, "err")
        .check(MAIN);
  }

  @Test
  void names_say_what_a_class_is() {
    List<String> bad =
        MAIN.stream()
            .map(JavaClass::getSimpleName)
            .filter(n -> n.matches(".*(Manager|Helper|Util|Utils|Impl|Service|Processor|Base|Data|Info)"))
            .toList();
    assertEquals(List.of(), bad);
  }

  @Test
  void what_is_stored_is_a_record_without_arrays_and_without_records_as_keys() {
    Set<Class<?>> stored =
        MAIN.stream()
            .filter(c -> c.isAssignableTo(CborSerializable.class))
            .map(JavaClass::reflect)
            .collect(Collectors.toSet());
    for (Class<?> type : stored) {
      assertFalse(Transient.class.isAssignableFrom(type), type + " is both stored and transient");
      assertTrue(type.isInterface() || type.isRecord() || type.isEnum(), type + " is no record");
      if (type.isRecord()) {
        for (var part : type.getRecordComponents()) {
          assertFalse(part.getType().isArray(), type + "." + part.getName() + " is an array");
          String generic = part.getGenericType().getTypeName();
          assertFalse(
              generic.startsWith("java.util.Map<") && !generic.startsWith("java.util.Map<java.lang.String"),
              type + "." + part.getName() + " has keys that are no strings");
        }
      }
    }
  }

  @Test
  void every_test_class_is_found_by_the_build() throws IOException {
    for (String room : List.of(".", "protocol", "persistence", "actors", "gpu", "http")) {
      Path root = Path.of(room, "src", "test", "java");
      if (!Files.isDirectory(root)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          String text = Files.readString(file);
          boolean hasTests = text.contains("@Test") || text.contains("@Property");
          String name = file.getFileName().toString();
          assertTrue(
              !hasTests || name.endsWith("Test.java") || name.endsWith("Properties.java")
                  || name.endsWith("IT.java"),
              file + " holds tests but matches no pattern of the build");
        }
      }
    }
  }
}
