package rubricem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of faults in src/test/README.md names tests; a test that has gone proves nothing. */
class FaultTableTest {
  private static final Pattern ROW = Pattern.compile("\\| ([RL]-\\d\\d) \\|.*\\|(.*)\\|");
  private static final Pattern TEST = Pattern.compile("`(\\w*)(?:[#](\\w+)(…?))?`");

  @Test
  void every_test_that_the_table_names_is_there() throws IOException {
    Map<String, String> classes = testClasses();
    List<String> missing = new ArrayList<>();
    int rows = 0;
    for (String line : Files.readAllLines(Path.of("src", "test", "README.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows++;
        missing.addAll(missing(row.group(1), row.group(2), classes));
      }
    }
    assertTrue(rows >= 35, rows + " rows were read");
    assertEquals(List.of(), missing);
  }

  private static List<String> missing(String fault, String cell, Map<String, String> classes) {
    List<String> missing = new ArrayList<>();
    String inClass = "";
    Matcher test = TEST.matcher(cell);
    boolean any = false;
    while (test.find()) {
      any = true;
      inClass = test.group(1).isEmpty() ? inClass : test.group(1);
      String text = classes.getOrDefault(inClass, "");
      String method = test.group(2) == null ? "" : test.group(2);
      String called = "void " + method + (test.group(2) == null || !test.group(3).isEmpty() ? "" : "(");
      if (text.isEmpty() || !text.contains(called)) {
        missing.add(fault + " " + inClass + "#" + method);
      }
    }
    if (!any) {
      missing.add(fault + " names no test");
    }
    return missing;
  }

  private static Map<String, String> testClasses() throws IOException {
    Map<String, String> texts = new HashMap<>();
    for (String room : List.of(".", "protocol", "persistence", "actors", "gpu", "http")) {
      Path root = Path.of(room, "src", "test", "java");
      if (Files.isDirectory(root)) {
        try (Stream<Path> files = Files.walk(root)) {
          for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
            texts.put(
                file.getFileName().toString().replace(".java", ""), Files.readString(file));
          }
        }
      }
    }
    return texts;
  }
}
