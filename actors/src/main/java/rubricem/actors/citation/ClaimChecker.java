package rubricem.actors.citation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.Embedder;
import rubricem.protocol.report.BoundAnswer;
import rubricem.protocol.report.BoundClaim;
import rubricem.protocol.report.CheckedAnswer;
import rubricem.protocol.report.ClaimSupport;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.report.SupportSettings;

/**
 * Checks the claims of an answer against their passages with the vectors of an {@link Embedder}.
 * Its stage never fails: what could not be checked, because there is no embedder, the embedder
 * fails or is slow, or there are too many claims, is unchecked and keeps its place. It compares by
 * {@link ClaimSupport} and decides nothing itself.
 */
public final class ClaimChecker {
  private final SupportSettings settings;

  /** A pair of a claim and a passage, with the sentences to compare. */
  private record Pair(BoundClaim claim, Snippet snippet, ClaimSupport support) {}

  public ClaimChecker(SupportSettings settings) {
    this.settings = settings;
  }

  /** @param embedder empty where there is none, or the budget does not allow to use it */
  public CompletionStage<CheckedAnswer> check(BoundAnswer bound, Optional<Embedder> embedder) {
    List<Pair> pairs = pairs(bound);
    if (embedder.isEmpty() || pairs.isEmpty()) {
      return CompletableFuture.completedStage(unchecked(bound, pairs));
    }
    Map<String, Integer> texts = new LinkedHashMap<>();
    for (Pair pair : pairs) {
      texts.putIfAbsent(pair.claim.text(), texts.size());
      pair.support.candidates().forEach(c -> texts.putIfAbsent(c, texts.size()));
    }
    return embed(embedder.get(), List.copyOf(texts.keySet()))
        .thenApply(vectors -> checked(bound, pairs, texts, vectors))
        .exceptionally(failure -> unchecked(bound, pairs));
  }

  private CompletableFuture<List<float[]>> embed(Embedder embedder, List<String> texts) {
    try {
      return embedder.embed(texts).toCompletableFuture().copy()
          .orTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  private List<Pair> pairs(BoundAnswer bound) {
    List<Pair> pairs = new ArrayList<>();
    for (BoundClaim claim : bound.claims()) {
      for (Snippet snippet : claim.snippets()) {
        if (pairs.size() < settings.claimsMax()) {
          pairs.add(new Pair(
              claim, snippet, ClaimSupport.of(claim.text(), snippet.passage().text())));
        }
      }
    }
    return pairs;
  }

  private static CheckedAnswer unchecked(BoundAnswer bound, List<Pair> pairs) {
    return new CheckedAnswer(
        bound,
        pairs.stream()
            .map(p -> new ClaimVerdict(p.claim.index(), p.snippet.id(), p.support.unchecked()))
            .toList());
  }

  private static CheckedAnswer checked(
      BoundAnswer bound, List<Pair> pairs, Map<String, Integer> texts, List<float[]> vectors) {
    List<ClaimVerdict> verdicts = new ArrayList<>();
    for (Pair pair : pairs) {
      float[] claim = vectors.get(texts.get(pair.claim.text()));
      List<Double> cosines =
          pair.support.candidates().stream()
              .map(c -> product(claim, vectors.get(texts.get(c))))
              .toList();
      verdicts.add(new ClaimVerdict(
          pair.claim.index(), pair.snippet.id(),
          cosines.isEmpty() ? pair.support.unchecked() : pair.support.checked(cosines)));
    }
    return new CheckedAnswer(bound, List.copyOf(verdicts));
  }

  private static double product(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }
}
