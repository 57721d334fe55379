package rubricem.app.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import rubricem.actors.extractive.ExtractivePolicy;
import rubricem.actors.extractive.ExtractiveSettings;
import rubricem.app.node.NodeSettings;
import rubricem.eval.retrieval.BenchQuestion;
import rubricem.eval.retrieval.RetrievalBench;
import rubricem.persistence.corpus.CorpusBench;
import rubricem.persistence.corpus.LuceneCorpus;
import rubricem.protocol.port.Embedder;

/**
 * What a corpus costs and what it gives: indexing, searching, and, where the documents are the
 * manual that the questions are about, what a plain search finds against what the embedded policy
 * cites with as many passages.
 */
public final class CorpusFigures {
  private static final int SEARCHES = 300;

  private final NodeSettings settings;
  private final CompletionStage<Embedder> embedder;
  private final Consumer<BenchLine> out;

  public CorpusFigures(
      NodeSettings settings, CompletionStage<Embedder> embedder, Consumer<BenchLine> out) {
    this.settings = settings;
    this.embedder = embedder;
    this.out = out;
  }

  /** @param folder an empty folder for the index; {@code roots} the documents */
  public void run(List<Path> roots, Path folder) throws Exception {
    List<BenchQuestion> questions = RetrievalBench.questions();
    CorpusBench.Figures f =
        CorpusBench.run(
            roots, folder, settings.corpus(), embedder,
            questions.stream().map(BenchQuestion::question).toList(), SEARCHES);
    Map<String, Object> size = Map.of("documents", f.documents(), "passages", f.passages());
    line("index_seconds", seconds(f.keywords()), "s", with(size, "phase", "keywords"));
    line("index_seconds", seconds(f.vectorsReady()), "s", with(size, "phase", "vectors"));
    line("reopen_ms", seconds(f.reopen()) * 1e3, "ms", size);
    line("search_ms_p50", seconds(f.searchP50()) * 1e3, "ms", size);
    line("search_ms_p99", seconds(f.searchP99()) * 1e3, "ms", size);
    try (LuceneCorpus corpus = LuceneCorpus.open(folder, roots, settings.corpus(), embedder);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      if (isTheManual(corpus, questions)) {
        retrieval(corpus, questions, threads);
      }
    }
  }

  private static boolean isTheManual(LuceneCorpus corpus, List<BenchQuestion> questions) {
    return questions.stream()
        .flatMap(q -> q.pages().stream())
        .allMatch(
            page ->
                Arrays.stream(page.split("\\|")).anyMatch(p -> corpus.text(p).isPresent()));
  }

  private void retrieval(
      LuceneCorpus corpus, List<BenchQuestion> questions, ExecutorService threads) {
    ExtractivePolicy policy =
        new ExtractivePolicy(ExtractiveSettings.defaults(), embedder, threads);
    RetrievalBench.Figures f =
        RetrievalBench.figures(
            RetrievalBench.run(corpus, policy, questions, settings.limits().toolCalls()));
    Map<String, Object> base =
        Map.of("questions", f.answerable(), "passages", RetrievalBench.PASSAGES);
    line("retrieval_all_pages", f.searchPages(), "share", with(base, "side", "plain_hybrid"));
    line("retrieval_all_pages", f.policyPages(), "share", with(base, "side", "extractive"));
    line("retrieval_all_facts", f.searchFacts(), "share", with(base, "side", "plain_hybrid"));
    line("retrieval_all_facts", f.policyFacts(), "share", with(base, "side", "extractive"));
    line("retrieval_all_pages_gain", f.policyPages() - f.searchPages(), "share", base);
    line("retrieval_all_facts_gain", f.policyFacts() - f.searchFacts(), "share", base);
    line("quotes_not_verbatim", f.quotesNotVerbatim(), "1", Map.of("quotes", f.quotes()));
    line("no_evidence", f.noEvidence(), "1", Map.of("unanswerable", f.unanswerable()));
    line("refused", f.refused(), "1", Map.of("answerable", f.answerable()));
    line("policy_turn_ms_mean", f.turnMsMean(), "ms", base);
  }

  private static Map<String, Object> with(Map<String, Object> base, String key, Object value) {
    Map<String, Object> all = new TreeMap<>(base);
    all.put(key, value);
    return all;
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private void line(String metric, double value, String unit, Map<String, Object> params) {
    out.accept(new BenchLine("corpus", metric, value, unit, params));
  }
}
