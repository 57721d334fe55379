package rubricem.gpu.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class EmbedQueueTest {
  private final EmbedQueue queue = new EmbedQueue(5);

  @Test
  void what_somebody_waits_for_passes_background_work() throws Exception {
    queue.add(List.of("a", "b"), false);
    queue.add(List.of("query"), true);
    assertEquals("query", queue.take().orElseThrow().text());
    assertEquals("a", queue.take().orElseThrow().text());
  }

  @Test
  void vectors_come_back_in_the_order_of_the_texts() throws Exception {
    var result = queue.add(List.of("ccc", "a"), false).toCompletableFuture();
    EmbedQueue.Wanted first = queue.take().orElseThrow();
    EmbedQueue.Wanted second = queue.take().orElseThrow();
    second.done(new float[] {second.text().length()});
    assertFalse(result.isDone());
    first.done(new float[] {first.text().length()});
    assertArrayEquals(new float[] {3}, result.join().get(0));
    assertArrayEquals(new float[] {1}, result.join().get(1));
  }

  @Test
  void a_request_that_does_not_fit_is_refused_until_there_is_room() throws Exception {
    queue.add(List.of("a", "b", "c", "d"), false);
    var refused = queue.add(List.of("e", "f"), true).toCompletableFuture();
    assertTrue(refused.isCompletedExceptionally());
    queue.take();
    assertFalse(queue.add(List.of("e", "f"), true).toCompletableFuture().isDone());
  }

  @Test
  void closing_fails_what_waits_and_ends_the_worker() throws Exception {
    var waiting = queue.add(List.of("a"), false).toCompletableFuture();
    queue.close();
    assertTrue(waiting.isCompletedExceptionally());
    assertTrue(queue.take().isEmpty());
    assertTrue(queue.add(List.of("b"), true).toCompletableFuture().isCompletedExceptionally());
  }

  @Test
  void a_failed_text_voids_the_rest_of_its_request() throws Exception {
    queue.add(List.of("a", "b"), false);
    queue.take().orElseThrow().failed(new IllegalStateException("broke"));
    assertTrue(queue.take().orElseThrow().isVoid());
  }
}
