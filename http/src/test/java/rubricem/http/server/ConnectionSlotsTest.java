package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import rubricem.http.server.ConnectionSlots.Cut;
import rubricem.http.server.ConnectionSlots.Slot;
import rubricem.http.server.metrics.Metrics;

/** Who makes room for whom, and what is said about it. */
class ConnectionSlotsTest {
  private Instant now = Instant.EPOCH;
  private final List<Integer> closed = new ArrayList<>();
  private final ConnectionSlots slots = new ConnectionSlots(2, 1, new Metrics(), () -> now);

  private Slot enter(int number) {
    Slot slot = new Slot(() -> closed.add(number));
    slots.enter(slot);
    return slot;
  }

  @Test
  void a_connection_has_one_place_for_a_stream_and_one_that_has_gone_takes_none() {
    Slot first = enter(1);
    Slot second = enter(2);
    slots.asks(first);
    assertTrue(slots.streams(first), "for its request");
    assertTrue(slots.streams(first), "for the answer to it");
    assertFalse(slots.streams(second));
    slots.waits(first);
    assertTrue(slots.streams(second), "it was one place");
    slots.leave(second);
    assertTrue(slots.streams(second), "to nobody");
    assertTrue(slots.streams(first), "nobody has none");
  }

  @Test
  void the_connection_that_has_waited_longest_makes_room() {
    Slot first = enter(1);
    Slot second = enter(2);
    assertTrue(slots.asks(first));
    slots.waits(first);
    Slot third = enter(3);
    assertEquals(List.of(2), closed);
    assertTrue(slots.mustGo(second));
    assertFalse(slots.mustGo(first));
    assertFalse(slots.mustGo(third));
  }

  @Test
  void a_connection_that_is_being_answered_never_makes_room() {
    Slot first = enter(1);
    Slot second = enter(2);
    assertTrue(slots.asks(first));
    assertTrue(slots.asks(second));
    Slot third = enter(3);
    assertEquals(List.of(), closed);
    assertFalse(slots.asks(third), "health alone");
    slots.leave(first);
    assertTrue(slots.asks(third), "a place has become free");
  }

  @Test
  void one_that_asks_while_it_is_told_to_go_takes_a_place_if_there_is_one() {
    Slot first = enter(1);
    Slot second = enter(2);
    enter(3);
    assertEquals(List.of(1), closed);
    assertTrue(slots.asks(first));
    assertEquals(List.of(1, 2), closed);
    assertFalse(slots.mustGo(first));
    assertTrue(slots.mustGo(second));
  }

  @Test
  void the_reserve_is_bounded_too() {
    slots.asks(enter(1));
    slots.asks(enter(2));
    for (int i = 0; i < 3 * ConnectionSlots.RESERVE; i++) {
      enter(10 + i);
    }
    assertEquals(2 * ConnectionSlots.RESERVE, closed.size());
    assertEquals(10, closed.getFirst(), "the oldest first");
  }

  @Test
  void places_come_back_however_a_connection_ends() {
    for (int i = 0; i < 1_000; i++) {
      Slot slot = enter(i);
      if (i % 3 == 0) {
        slots.asks(slot);
        slots.waits(slot);
      }
      if (i % 7 == 0) {
        slots.asks(slot);
      }
      slots.leave(slot);
    }
    assertEquals(0, slots.open());
    enter(-1);
    enter(-2);
    assertEquals(List.of(), closed);
  }

  @Test
  void a_stream_gives_its_part_back_when_it_ends_and_when_its_connection_does() {
    Slot first = enter(1);
    Slot second = enter(2);
    for (int i = 0; i < 3; i++) {
      assertTrue(slots.streams(first));
      assertFalse(slots.streams(second));
      slots.waits(first);
      assertTrue(slots.streams(second));
      slots.leave(second);
      second = enter(2);
    }
    assertEquals(List.of(), closed);
  }

  @Test
  void cuts_are_told_once_a_minute_with_all_since_the_last_time() {
    String line = slots.news(Cut.ROOM).orElseThrow();
    assertTrue(line.contains("1 asked nothing and made room"), line);
    assertEquals(Optional.empty(), slots.news(Cut.FULL));
    assertEquals(Optional.empty(), slots.news(Cut.SLOW_HEAD));
    now = now.plus(Duration.ofMinutes(1));
    line = slots.news(Cut.FULL).orElseThrow();
    assertTrue(line.contains("1 sent no request in time, 2 were refused"), line);
  }

  @Test
  void single_late_heads_are_no_news_but_many_are() {
    for (int i = 1; i < 32; i++) {
      assertEquals(Optional.empty(), slots.news(Cut.SLOW_HEAD));
    }
    assertTrue(slots.news(Cut.SLOW_HEAD).orElseThrow().contains("32 sent no request in time"));
  }
}
