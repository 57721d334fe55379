package rubricem.eval.retrieval;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.report.BoundClaim;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * Compares what a plain search finds with what a policy cites, question by question: are all needed
 * pages among the passages, and all facts in them. Both sides get the same number of passages. It
 * also counts quotes that do not stand in their passage and unanswerable questions that ended
 * without a citation. Blocks the calling thread.
 */
public final class RetrievalBench {
  /** Passages each side may show. */
  public static final int PASSAGES = 8;

  private static final String QUESTIONS = "/bench/postgresql-15-questions.jsonl";

  private RetrievalBench() {}

  /** One question: what each side found. */
  public record Row(BenchQuestion question, Side search, Side policy, QuestionRun.Result run) {}

  /**
   * @param missingFacts those in none of the passages
   */
  public record Side(boolean allPages, List<String> missingFacts, int passages) {
    static Side of(BenchQuestion question, List<Passage> passages) {
      List<Passage> shown = passages.stream().limit(PASSAGES).toList();
      return new Side(question.allPages(shown), question.missingFacts(shown), passages.size());
    }
  }

  /**
   * Shares are over the answerable questions.
   *
   * @param quotesNotVerbatim cited claims that stand in none of their passages
   * @param noEvidence unanswerable questions that cited nothing
   * @param refused answerable questions that cited nothing
   */
  public record Figures(
      int answerable,
      double searchPages,
      double searchFacts,
      double policyPages,
      double policyFacts,
      int quotes,
      int quotesNotVerbatim,
      int unanswerable,
      int noEvidence,
      int refused,
      int faults,
      double callsPerQuestion,
      double turnMsMean,
      double answerMsMax) {}

  public static List<BenchQuestion> questions() {
    try (InputStream file = RetrievalBench.class.getResourceAsStream(QUESTIONS)) {
      return BenchQuestion.read(
          new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the bench's questions cannot be read", e);
    }
  }

  public static List<Row> run(
      Corpus corpus, PolicyModel policy, List<BenchQuestion> questions, int toolCalls) {
    List<Row> rows = new ArrayList<>();
    for (BenchQuestion question : questions) {
      Corpus.Query plain = new Corpus.Query(question.question(), PASSAGES, "");
      List<Passage> found = corpus.search(plain).toCompletableFuture().join().passages();
      QuestionRun.Result run =
          QuestionRun.of(policy, corpus, question.question(), FormatLabel.LONG_FORM, toolCalls);
      rows.add(
          new Row(question, Side.of(question, found), Side.of(question, run.cited()), run));
    }
    return rows;
  }

  public static Figures figures(List<Row> rows) {
    List<Row> asked = rows.stream().filter(r -> r.question().answerable()).toList();
    List<Row> open = rows.stream().filter(r -> !r.question().answerable()).toList();
    List<BoundClaim> claims =
        rows.stream().flatMap(r -> r.run().bound().claims().stream()).toList();
    return new Figures(
        asked.size(), share(asked, r -> r.search().allPages()),
        share(asked, r -> r.search().missingFacts().isEmpty()),
        share(asked, r -> r.policy().allPages()),
        share(asked, r -> r.policy().missingFacts().isEmpty()),
        claims.size(), (int) claims.stream().filter(c -> !verbatim(c)).count(),
        open.size(), count(open, r -> r.run().cited().isEmpty()),
        count(asked, r -> r.run().cited().isEmpty()),
        count(rows, r -> r.run().fault().isPresent()),
        rows.stream().mapToInt(r -> r.run().calls().size()).average().orElse(0),
        millis(rows.stream().map(r -> r.run().policyTime()).reduce(Duration.ZERO, Duration::plus))
            / Math.max(1, rows.stream().mapToInt(r -> r.run().turns().size()).sum()),
        rows.stream().mapToDouble(r -> millis(r.run().policyTime())).max().orElse(0));
  }

  private static double millis(Duration time) {
    return time.toNanos() / 1e6;
  }

  private static double share(List<Row> rows, java.util.function.Predicate<Row> holds) {
    return rows.isEmpty() ? 0 : (double) count(rows, holds) / rows.size();
  }

  private static int count(List<Row> rows, java.util.function.Predicate<Row> holds) {
    return (int) rows.stream().filter(holds).count();
  }

  /** Whether a claim stands word for word in one of its passages; blanks count as one. */
  static boolean verbatim(BoundClaim claim) {
    String words = blanks(claim.text());
    return claim.snippets().stream().anyMatch(s -> blanks(s.passage().text()).contains(words));
  }

  private static String blanks(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
