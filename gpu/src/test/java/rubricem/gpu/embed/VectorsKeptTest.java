package rubricem.gpu.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import rubricem.protocol.port.Embedder;

class VectorsKeptTest {
  private final List<String> asked = new ArrayList<>();
  private final List<CompletableFuture<List<float[]>>> answers = new ArrayList<>();

  private final Embedder model =
      new Embedder() {
        @Override
        public String name() {
          return "lengths";
        }

        @Override
        public int dimension() {
          return 1;
        }

        @Override
        public CompletionStage<List<float[]>> embed(List<String> texts) {
          asked.addAll(texts);
          CompletableFuture<List<float[]>> answer = new CompletableFuture<>();
          answers.add(answer);
          return answer;
        }
      };

  private void answer(int number) {
    answers.get(number).complete(List.of(new float[] {asked.get(number).length()}));
  }

  private static List<float[]> now(CompletionStage<List<float[]>> stage) {
    assertTrue(stage.toCompletableFuture().isDone());
    return stage.toCompletableFuture().join();
  }

  @Test
  void who_wants_what_is_being_computed_waits_for_that() {
    VectorsKept kept = new VectorsKept(model, 10);
    var first = kept.embed(List.of("a", "bb"));
    var second = kept.embed(List.of("bb", "ccc", "bb"));
    assertEquals(List.of("a", "bb", "ccc"), asked);
    answer(1);
    answer(2);
    assertFalse(first.toCompletableFuture().isDone());
    List<float[]> vectors = now(second);
    assertEquals(3, vectors.size());
    assertArrayEquals(new float[] {2}, vectors.get(2));
    answer(0);
    assertArrayEquals(new float[] {1}, now(first).getFirst());
    now(kept.embed(List.of("ccc", "a")));
    assertEquals(3, asked.size());
  }

  @Test
  void a_failure_fails_whoever_wants_that_text_and_is_not_kept() {
    VectorsKept kept = new VectorsKept(model, 10);
    var both = kept.embed(List.of("a", "b"));
    var one = kept.embed(List.of("b"));
    answers.getFirst().completeExceptionally(new IllegalStateException("too many"));
    answer(1);
    assertTrue(both.toCompletableFuture().isCompletedExceptionally());
    now(one);
    kept.embed(List.of("a", "b"));
    assertEquals(List.of("a", "b", "a"), asked);
  }

  @Test
  void an_answer_without_a_vector_is_a_failure_and_keeps_nobody_waiting() {
    VectorsKept kept = new VectorsKept(model, 10);
    var wanted = kept.embed(List.of("a"));
    answers.getFirst().complete(List.of());
    assertTrue(wanted.toCompletableFuture().isCompletedExceptionally());
    kept.embed(List.of("a"));
    assertEquals(List.of("a", "a"), asked);
  }

  @Test
  void what_was_not_wanted_for_longest_goes_first() {
    VectorsKept kept = new VectorsKept(model, 2);
    kept.embed(List.of("a", "b"));
    kept.embed(List.of("a"));
    kept.embed(List.of("c"));
    kept.embed(List.of("a", "c"));
    assertEquals(List.of("a", "b", "c"), asked);
    kept.embed(List.of("b"));
    assertEquals(List.of("a", "b", "c", "b"), asked);
  }
}
