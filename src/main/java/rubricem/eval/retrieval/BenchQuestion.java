package rubricem.eval.retrieval;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import rubricem.protocol.evidence.Passage;

/**
 * A question with what a good answer rests on. It says which pages and facts are needed, never how
 * to find them.
 *
 * @param kind what makes it hard: a symptom, a default value, two pages, another language, …
 * @param answerable whether the documents answer it at all
 * @param pages file names, all needed; {@code a|b} stands for either of two
 * @param facts regular expressions, without regard to case, each to be found in a cited passage
 */
public record BenchQuestion(
    String id,
    String question,
    String language,
    String kind,
    boolean answerable,
    List<String> pages,
    List<String> facts) {

  /** Reads one question a line; blank lines are skipped. */
  public static List<BenchQuestion> read(Reader lines) throws IOException {
    ObjectMapper json =
        new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
    List<BenchQuestion> questions = new ArrayList<>();
    BufferedReader reader = new BufferedReader(lines);
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      if (!line.isBlank()) {
        questions.add(json.readValue(line, BenchQuestion.class));
      }
    }
    return List.copyOf(questions);
  }

  /** Whether every needed page is among the documents of {@code passages}. */
  public boolean allPages(List<Passage> passages) {
    List<String> found = passages.stream().map(p -> fileName(p.document())).toList();
    return pages.stream().allMatch(p -> List.of(p.split("\\|")).stream().anyMatch(found::contains));
  }

  /** The facts that stand in none of {@code passages}. */
  public List<String> missingFacts(List<Passage> passages) {
    List<String> texts = passages.stream().map(p -> p.text().replaceAll("\\s+", " ")).toList();
    return facts.stream().filter(f -> texts.stream().noneMatch(matches(f)::test)).toList();
  }

  private static java.util.function.Predicate<String> matches(String fact) {
    return Pattern.compile(fact, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE).asPredicate();
  }

  private static String fileName(String document) {
    return document.substring(document.lastIndexOf('/') + 1);
  }
}
