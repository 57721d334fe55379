package rubricem.gpu.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DeviceThreadTest {
  @Test
  void work_runs_on_one_thread_in_the_order_it_was_given() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    List<Integer> order = new ArrayList<>();
    try (DeviceThread device = DeviceThread.start("test")) {
      CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);
      for (int i : IntStream.range(0, 100).toArray()) {
        last = device.submit(() -> threads.add(Thread.currentThread()) | order.add(i));
      }
      last.get();
    }
    assertEquals(1, threads.size());
    assertEquals(IntStream.range(0, 100).boxed().toList(), order);
  }

  @Test
  void what_the_work_throws_comes_to_who_asked_and_the_next_piece_runs() {
    IllegalStateException thrown = new IllegalStateException("broken");
    try (DeviceThread device = DeviceThread.start("test")) {
      assertSame(
          thrown,
          assertThrows(
              IllegalStateException.class,
              () -> device.call(
                  () -> {
                    throw thrown;
                  })));
      assertEquals(7, device.call(() -> 7));
    }
  }

  @Test
  void no_more_waits_than_may() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    try (DeviceThread device = DeviceThread.start("test")) {
      device.submit(
          () -> {
            running.countDown();
            return go.await(20, TimeUnit.SECONDS);
          });
      running.await();
      for (int i = 0; i < DeviceThread.WAITING_MAX; i++) {
        assertFalse(device.submit(() -> 1).isDone());
      }
      var refused = assertThrows(ExecutionException.class, () -> device.submit(() -> 1).get());
      assertInstanceOf(DeviceBusyException.class, refused.getCause());
      go.countDown();
    }
  }

  @Test
  void stopping_waits_for_what_runs_and_refuses_what_has_not_begun() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    DeviceThread device = DeviceThread.start("test");
    CompletableFuture<Boolean> first =
        device.submit(
            () -> {
              running.countDown();
              return go.await(20, TimeUnit.SECONDS);
            });
    CompletableFuture<Integer> second = device.submit(() -> 2);
    running.await();
    Thread closing = Thread.ofVirtual().start(device::close);
    while (!device.stopping()) {
      Thread.onSpinWait();
    }
    assertTrue(closing.isAlive(), "it closed while work ran");
    assertFalse(first.isDone());
    go.countDown();
    closing.join();
    assertTrue(first.get());
    assertInstanceOf(
        DeviceStoppedException.class,
        assertThrows(ExecutionException.class, second::get).getCause());
    assertInstanceOf(
        DeviceStoppedException.class,
        assertThrows(ExecutionException.class, () -> device.submit(() -> 3).get()).getCause());
  }

  @Test
  void work_that_waits_for_its_own_thread_is_refused() {
    try (DeviceThread device = DeviceThread.start("test")) {
      assertThrows(
          IllegalStateException.class, () -> device.call(() -> device.call(() -> 1)));
    }
  }
}
