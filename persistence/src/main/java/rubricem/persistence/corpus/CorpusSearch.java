package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import rubricem.persistence.corpus.CorpusView.Hit;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.CorpusStatus;
import rubricem.protocol.port.Embedder;

/**
 * The two rankings and their fusion. A query is a bag of words, never a syntax: operators,
 * quotation marks and control characters are text like any other. Each ranking gives a passage
 * 1/(60 + rank), and the sums decide; the scores themselves are not comparable and are not used.
 */
final class CorpusSearch {
  /** Of reciprocal rank fusion; the value of its authors, which no corpus here moved. */
  private static final int FUSION = 60;

  /** What a person or a policy asks is shorter; the rest of a longer text adds only cost. */
  private static final int QUERY_CHARS_MAX = 4_000;

  private static final int TERMS_MAX = 64;

  /**
   * Up to so many passages everything is counted and compared for each search, which takes some
   * milliseconds and gives the same ranking for the same files however their index came about.
   * Beyond it Lucene's counts and its graph of neighbours are used.
   */
  private static final int EXACT_MAX = 50_000;

  private record Weighted(String field, float boost) {}

  /** Text decides; headings help, the document's title a little, the exact form breaks ties. */
  private static final List<Weighted> FIELDS =
      List.of(
          new Weighted(Fields.TEXT, 1f),
          new Weighted(Fields.EXACT, 0.4f),
          new Weighted(Fields.SECTION, 0.6f),
          new Weighted(Fields.TITLE, 0.4f));

  /** Unreadable documents named beside each search; the rest is counted. */
  private static final int LINES = 20;

  private final Analyzer analyzer = CorpusAnalysis.perField();
  private final List<Path> roots;
  private final DocumentNames names;
  private final CorpusSettings settings;
  private final CompletionStage<Embedder> embedder;

  CorpusSearch(
      List<Path> roots, DocumentNames names, CorpusSettings settings,
      CompletionStage<Embedder> embedder) {
    this.roots = roots;
    this.names = names;
    this.settings = settings;
    this.embedder = embedder;
  }

  Corpus.Hits hits(CorpusView view, Corpus.Query query, CorpusStatus status)
      throws IOException {
    String text = readable(query.text());
    int limit = Math.max(1, Math.min(query.limit(), settings.candidates() * 2));
    List<String> notes = new ArrayList<>();
    List<Passage> passages = new ArrayList<>();
    Optional<Query> filter = filter(query.document(), notes);
    if (filter.isPresent() && !text.isEmpty() && status.passages() > 0) {
      List<List<Hit>> rankings = new ArrayList<>();
      Query words = byWords(text, filter.get());
      rankings.add(
          exactly(status)
              ? view.bestSteadily(words, roots, settings.candidates())
              : view.best(words, settings.candidates()));
      byMeaning(view, text, filter.get(), status, notes).ifPresent(rankings::add);
      if (rankings.size() > 1 && rankings.getFirst().isEmpty()) {
        notes.add("No passage holds a word of the query; these were found by meaning only.");
      }
      for (Ranked hit : fuse(rankings, limit)) {
        passages.add(view.passage(hit.doc()).found(names, hit.score()));
      }
    }
    int pending = status.passages() - status.vectors();
    return new Corpus.Hits(
        List.copyOf(passages), status.searched(LINES), pending, List.copyOf(notes));
  }

  private Optional<Query> filter(String document, List<String> notes) {
    Query passages =
        CorpusIndex.all(
            CorpusIndex.term(Fields.KIND, Fields.PASSAGE), CorpusIndex.under(roots));
    if (document.isBlank()) {
      return Optional.of(passages);
    }
    Optional<String> path = names.pathOf(document);
    if (path.isEmpty()) {
      notes.add("No document has the name that was asked for; nothing was searched.");
    }
    return path.map(p -> CorpusIndex.all(passages, CorpusIndex.term(Fields.PATH, p)));
  }

  private static boolean exactly(CorpusStatus status) {
    return status.passages() <= EXACT_MAX;
  }

  private Optional<List<Hit>> byMeaning(
      CorpusView view, String text, Query filter, CorpusStatus status, List<String> notes)
      throws IOException {
    if (status.vectors() == 0) {
      notes.add("The documents have no vectors yet; they were searched by words only.");
      return Optional.empty();
    }
    try {
      long wait = settings.queryWait().toMillis();
      Embedder model = embedder.toCompletableFuture().get(wait, TimeUnit.MILLISECONDS);
      if (view.status(roots, model.name()).vectors() == 0) {
        notes.add("The vectors are of another model; the documents were searched by words only.");
        return Optional.empty();
      }
      float[] vector =
          model.embed(List.of(text)).toCompletableFuture().get(wait, TimeUnit.MILLISECONDS)
              .getFirst();
      return Optional.of(nearest(view, vector, model.name(), filter, exactly(status)));
    } catch (ExecutionException | IllegalArgumentException e) {
      notes.add("The embedding model failed; searched by words only: " + said(e));
    } catch (TimeoutException e) {
      notes.add("The embedding model was not ready in time; searched by words only.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      notes.add("The search was interrupted; searched by words only.");
    }
    return Optional.empty();
  }

  private List<Hit> nearest(
      CorpusView view, float[] vector, String model, Query filter, boolean exactly)
      throws IOException {
    int limit = settings.candidates();
    String field = Fields.vector(model);
    if (exactly) {
      Query embedded = CorpusIndex.all(filter, CorpusIndex.term(Fields.MODEL, model));
      return view.nearest(embedded, new NearestExactly(field, vector), limit);
    }
    return view.best(new KnnFloatVectorQuery(field, vector, limit, filter), limit);
  }

  /** A passage of the index and its fused score. */
  record Ranked(int doc, double score) {}

  /** What is left of a query once nobody can trip over it. */
  static String readable(String query) {
    int end = Math.min(query.length(), QUERY_CHARS_MAX);
    return new CleanText().line(query.substring(0, end));
  }

  Query byWords(String text, Query filter) throws IOException {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (Weighted field : FIELDS) {
      for (String term : terms(field.field(), text)) {
        any.add(
            new BoostQuery(CorpusIndex.term(field.field(), term), field.boost()), Occur.SHOULD);
      }
    }
    any.setMinimumNumberShouldMatch(1);
    any.add(filter, Occur.FILTER);
    return any.build();
  }

  private Set<String> terms(String field, String text) throws IOException {
    Set<String> terms = new LinkedHashSet<>();
    try (TokenStream tokens = analyzer.tokenStream(field, text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken() && terms.size() < TERMS_MAX) {
        terms.add(term.toString());
      }
      tokens.end();
    }
    return terms;
  }

  /** Equal sums are common, so the passage's place among all documents decides then. */
  static List<Ranked> fuse(List<List<Hit>> rankings, int limit) {
    Map<Hit, Double> scores = new HashMap<>();
    for (List<Hit> ranking : rankings) {
      for (int rank = 0; rank < ranking.size(); rank++) {
        scores.merge(ranking.get(rank), 1.0 / (FUSION + rank + 1), Double::sum);
      }
    }
    return scores.entrySet().stream()
        .sorted(
            Map.Entry.<Hit, Double>comparingByValue().reversed()
                .thenComparing(e -> e.getKey().order()))
        .limit(limit)
        .map(e -> new Ranked(e.getKey().doc(), e.getValue()))
        .toList();
  }

  /** The cause of a failure in its own words, one line. */
  static String said(Throwable thrown) {
    Throwable cause =
        thrown instanceof ExecutionException
                || thrown instanceof java.util.concurrent.CompletionException
            ? thrown.getCause()
            : thrown;
    String message = cause == null ? null : cause.getMessage();
    String text = message == null ? String.valueOf(cause) : message;
    return new CleanText().line(text.substring(0, Math.min(300, text.length())));
  }
}
