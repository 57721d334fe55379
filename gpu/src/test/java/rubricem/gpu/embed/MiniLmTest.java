package rubricem.gpu.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MiniLmTest {
  private static MiniLm model;

  @BeforeAll
  static void load() throws Exception {
    model = MiniLm.open();
  }

  @AfterAll
  static void free() throws Exception {
    model.close();
  }

  @Test
  void a_paraphrase_is_nearer_than_another_subject() {
    List<float[]> v =
        get(model.embed(List.of(
            "How many people live in Berlin?",
            "What is the population of Germany's capital?",
            "Bread rises because yeast makes gas.")));
    assertTrue(dot(v.get(0), v.get(1)) > dot(v.get(0), v.get(2)) + 0.3);
  }

  @Test
  void vectors_have_the_models_dimension_and_length_one() {
    float[] v = get(model.embed(List.of("a"))).getFirst();
    assertEquals(384, v.length);
    assertEquals(model.dimension(), v.length);
    assertEquals(1, dot(v, v), 1e-5);
  }

  /** The figures are those published for the model in full precision. */
  @Test
  void gives_the_similarities_that_are_known_of_this_model() {
    List<float[]> v =
        get(model.embed(List.of(
            "That is a happy person", "That is a happy dog", "That is a very happy person",
            "Today is a sunny day")));
    assertEquals(0.695, dot(v.get(0), v.get(1)), 0.02);
    assertEquals(0.943, dot(v.get(0), v.get(2)), 0.02);
    assertEquals(0.257, dot(v.get(0), v.get(3)), 0.02);
  }

  @Test
  void a_text_has_the_same_vector_alone_and_among_others() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      texts.add("word ".repeat(1 + (i * 7) % 40) + i);
    }
    List<float[]> together = get(model.embedInBackground(texts));
    for (int i = 0; i < texts.size(); i += 6) {
      float[] alone = get(model.embed(List.of(texts.get(i)))).getFirst();
      assertEquals(1, dot(alone, together.get(i)), 1e-4, "text " + i);
    }
  }

  @Test
  void odd_texts_have_a_vector_too() {
    List<String> odd =
        List.of("", "\0", "\uD800", "x".repeat(1_000_000), "AND ( \" *", "日本語のテキスト");
    for (float[] v : get(model.embed(odd))) {
      assertEquals(1, dot(v, v), 1e-4);
    }
  }

  @Test
  void a_closed_model_says_so() throws Exception {
    MiniLm other = MiniLm.open(1);
    other.close();
    CompletionException e =
        assertThrows(CompletionException.class, () -> get(other.embed(List.of("a"))));
    assertTrue(e.getCause().getMessage().contains("closed"));
  }

  @Test
  void the_mean_of_all_tokens_is_scaled_to_length_one() {
    float[] hidden = {3, 0, 0, 4};
    assertArrayEquals(new float[] {0.6f, 0.8f}, MiniLm.pooled(hidden, 2), 1e-6f);
  }

  private static List<float[]> get(CompletionStage<List<float[]>> stage) {
    return stage.toCompletableFuture().join();
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
