package rubricem.actors.citation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import rubricem.protocol.CallId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.Embedder;
import rubricem.protocol.report.BoundAnswer;
import rubricem.protocol.report.CheckedAnswer;
import rubricem.protocol.report.CitationBinding;
import rubricem.protocol.report.CitationCheck;
import rubricem.protocol.report.SupportSettings;

class ClaimCheckerTest {
  private static final String PASSAGE = "The tower is 330 metres tall. Cats sleep a lot.";
  private final List<List<String>> asked = new ArrayList<>();

  private static BoundAnswer bound() {
    return CitationBinding.bind(
        "<cite id=S_1>The tower is 330 metres tall</cite>. <cite id=S_1>Cats bark</cite>.",
        List.of(new Snippet("S_1", CallId.parse("e/1"), "corpus",
            new Passage("d", "t", "", "", 0, 1, PASSAGE, 1, Optional.empty()))));
  }

  private CheckedAnswer check(
      SupportSettings settings, Function<List<String>, CompletionStage<List<float[]>>> embed) {
    Embedder embedder = new Embedder() {
      @Override
      public String name() {
        return "test";
      }

      @Override
      public int dimension() {
        return 2;
      }

      @Override
      public CompletionStage<List<float[]>> embed(List<String> texts) {
        asked.add(texts);
        return embed.apply(texts);
      }
    };
    return new ClaimChecker(settings).check(bound(), Optional.of(embedder))
        .toCompletableFuture().join();
  }

  private static CompletionStage<List<float[]>> vectors(List<String> texts) {
    return CompletableFuture.completedStage(
        texts.stream().map(t -> t.contains("bark") ? new float[] {0, 1} : new float[] {1, 0})
            .toList());
  }

  @Test
  void checks_all_claims_with_one_call() {
    assertEquals(new CitationCheck(2, 2, 1, 0),
        check(SupportSettings.DEFAULT, ClaimCheckerTest::vectors).check());
    assertEquals(1, asked.size());
  }

  @Test
  void what_is_over_the_bound_is_unchecked() {
    assertEquals(new CitationCheck(2, 1, 1, 0),
        check(new SupportSettings(1, Duration.ofSeconds(5)), ClaimCheckerTest::vectors).check());
  }

  @Test
  void without_an_embedder_everything_is_unchecked_and_quoted() {
    CheckedAnswer answer = new ClaimChecker(SupportSettings.DEFAULT)
        .check(bound(), Optional.empty()).toCompletableFuture().join();
    assertEquals(new CitationCheck(2, 0, 0, 0), answer.check());
    assertEquals("The tower is 330 metres tall.", answer.citations().getFirst().quote());
  }

  @Test
  void an_embedder_that_fails_throws_or_hangs_leaves_claims_unchecked() {
    SupportSettings hasty = new SupportSettings(9, Duration.ofMillis(20));
    CitationCheck unchecked = new CitationCheck(2, 0, 0, 0);
    assertEquals(unchecked,
        check(hasty, t -> CompletableFuture.failedStage(new IllegalStateException())).check());
    assertEquals(unchecked, check(hasty, t -> new CompletableFuture<>()).check());
    assertEquals(unchecked, check(hasty, t -> {
      throw new IllegalStateException();
    }).check());
    assertEquals(unchecked,
        check(hasty, t -> CompletableFuture.completedStage(List.of())).check());
    assertTrue(asked.size() == 4);
  }
}
