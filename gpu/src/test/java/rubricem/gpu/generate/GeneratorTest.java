package rubricem.gpu.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.model.Snapshot;

class GeneratorTest {
  private static final int[] PROMPT = Models.prompt(1, 9);

  private static GenerationRequest seeded(int[] prompt, int tokens, long seed) {
    return new GenerationRequest(prompt, tokens, Sampling.plain(seed));
  }

  private static GenerationRequest heard(int[] prompt, int tokens, long seed, TokenSink sink) {
    return new GenerationRequest(prompt, tokens, Sampling.plain(seed), Set.of(), sink);
  }

  private static Generation alone(GenerationRequest request, long version) throws Exception {
    try (Snapshot weights = Models.small(version, version);
        Generator generator = new Generator(weights, Models.settings(1, 4))) {
      return Models.run(generator, request);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_seed_draws_the_same_alone_and_among_others(int workers) throws Exception {
    List<GenerationRequest> requests =
        IntStream.range(0, 40)
            .mapToObj(i -> seeded(Models.prompt(i / 2, 3 + 2 * (i / 2)), 10 + i, i))
            .toList();
    try (Snapshot weights = Models.small(1, 1);
        Generator generator = new Generator(weights, Models.settings(workers, 8))) {
      List<Generation> together = Models.run(generator, requests);
      for (int i = 0; i < requests.size(); i += 5) {
        Generation alone = alone(requests.get(i), 1);
        assertArrayEquals(alone.ids(), together.get(i).ids(), "request " + i);
        assertArrayEquals(alone.policyLogProbs(), together.get(i).policyLogProbs(), 1e-5);
      }
      assertEquals(new Finish.MaxTokens(), together.get(3).finish());
      assertEquals(13, together.get(3).ids().length);
    }
  }

  @Test
  void neighbours_that_come_and_go_change_nothing() throws Exception {
    try (Snapshot weights = Models.small(1, 1);
        Generator generator = new Generator(weights, Models.settings(1, 3))) {
      Generator.Ticket watched = generator.submit(seeded(PROMPT, 100, 7));
      for (int i = 0; i < 25; i++) {
        Models.run(generator, seeded(Models.prompt(100 + i, 2 + i), 1 + i % 7, i));
      }
      assertArrayEquals(alone(seeded(PROMPT, 100, 7), 1).ids(), Models.await(watched).ids());
    }
  }

  @Test
  void equal_prompts_are_computed_once() throws Exception {
    try (Snapshot weights = Models.small(1, 1);
        Generator generator = new Generator(weights, Models.settings(1, 8))) {
      List<Generation> group =
          Models.run(
              generator, IntStream.range(0, 8).mapToObj(i -> seeded(PROMPT, 20, i)).toList());
      assertEquals(
          List.of(0, 9, 9, 9, 9, 9, 9, 9), group.stream().map(Generation::reusedTokens).toList());
      assertTrue(group.stream().map(g -> Arrays.toString(g.ids())).distinct().count() > 4);
      assertArrayEquals(alone(seeded(PROMPT, 20, 5), 1).ids(), group.get(5).ids());
    }
  }

  @Test
  void a_longer_conversation_reuses_what_was_computed_for_the_shorter() throws Exception {
    try (Snapshot weights = Models.small(1, 1);
        Generator generator = new Generator(weights, Models.settings(1, 4))) {
      int[] first = Models.prompt(3, 30);
      Generation turn = Models.run(generator, seeded(first, 25, 1));
      int[] next =
          IntStream.concat(
                  IntStream.concat(IntStream.of(first), IntStream.of(turn.ids())),
                  IntStream.of(Models.prompt(4, 12)))
              .toArray();
      Generation warm = Models.run(generator, seeded(next, 25, 2));
      Generation cold = alone(seeded(next, 25, 2), 1);
      assertEquals(54, warm.reusedTokens());
      assertEquals(0, cold.reusedTokens());
      assertArrayEquals(cold.ids(), warm.ids());
      assertArrayEquals(cold.policyLogProbs(), warm.policyLogProbs(), 1e-5);
    }
  }

  @Test
  void L47_nothing_computed_with_older_weights_is_reused_after_a_swap() throws Exception {
    try (Snapshot first = Models.small(1, 1);
        Snapshot second = Models.small(2, 2);
        Generator generator = new Generator(first, Models.settings(1, 4))) {
      Models.run(generator, seeded(PROMPT, 20, 1));
      assertEquals(8, Models.run(generator, seeded(PROMPT, 20, 1)).reusedTokens());
      generator.publish(second);
      Generation swapped = Models.run(generator, seeded(PROMPT, 20, 1));
      assertEquals(0, swapped.reusedTokens());
      assertEquals(2, swapped.version());
      assertArrayEquals(alone(seeded(PROMPT, 20, 1), 2).ids(), swapped.ids());
      assertEquals(2, generator.version());
      assertThrows(IllegalArgumentException.class, () -> generator.publish(first));
    }
  }

  @Test
  void what_runs_ends_on_its_version_and_what_begins_has_the_newer_one() throws Exception {
    CountDownLatch begun = new CountDownLatch(5);
    CountDownLatch published = new CountDownLatch(1);
    TokenSink sink =
        id -> {
          begun.countDown();
          if (begun.getCount() == 0) {
            try {
              published.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
          return false;
        };
    Snapshot first = Models.small(1, 1);
    Snapshot second = Models.small(2, 2);
    try (Generator generator = new Generator(first, Models.settings(1, 4))) {
      first.close();
      Generator.Ticket old = generator.submit(heard(PROMPT, 60, 1, sink));
      begun.await();
      generator.publish(second);
      second.close();
      Generator.Ticket young = generator.submit(seeded(PROMPT, 60, 1));
      published.countDown();
      assertEquals(1, Models.await(old).version());
      assertEquals(2, Models.await(young).version());
      assertArrayEquals(alone(seeded(PROMPT, 60, 1), 1).ids(), Models.await(old).ids());
      assertArrayEquals(alone(seeded(PROMPT, 60, 1), 2).ids(), Models.await(young).ids());
      Models.run(generator, seeded(PROMPT, 3, 1));
      assertTrue(first.isFreed(), "weights that nobody draws from any more are freed");
      assertFalse(second.isFreed());
    }
    assertTrue(second.isFreed());
  }

  @Test
  void a_stop_token_ends_a_sequence_and_belongs_to_it() throws Exception {
    int[] free = alone(seeded(PROMPT, 40, 3), 1).ids();
    int stop = free[12];
    int first = IntStream.range(0, 40).filter(i -> free[i] == stop).findFirst().orElseThrow();
    Generation stopped =
        alone(
            new GenerationRequest(
                PROMPT, 40, Sampling.plain(3), Set.of(stop), TokenSink.NONE),
            1);
    assertEquals(new Finish.StopToken(stop), stopped.finish());
    assertArrayEquals(Arrays.copyOf(free, first + 1), stopped.ids());
  }

  @Test
  void who_listens_hears_every_token_and_ends_the_sequence() throws Exception {
    List<Integer> heard = new ArrayList<>();
    Generation stopped =
        alone(
            heard(
                PROMPT, 40, 3,
                id -> {
                  heard.add(id);
                  return heard.size() == 6;
                }),
            1);
    assertEquals(new Finish.StopText(), stopped.finish());
    assertArrayEquals(heard.stream().mapToInt(i -> i).toArray(), stopped.ids());
    assertEquals(6, stopped.ids().length);
  }

  @Test
  void a_listener_that_fails_fails_its_own_sequence_alone() throws Exception {
    try (Snapshot weights = Models.small(1, 1);
        Generator generator = new Generator(weights, Models.settings(1, 4))) {
      TokenSink failing =
          id -> {
            throw new IllegalStateException("no");
          };
      List<Generation> both =
          Models.run(
              generator, List.of(heard(PROMPT, 20, 1, failing), seeded(PROMPT, 20, 2)));
      assertEquals("listener", ((Finish.Failed) both.get(0).finish()).kind());
      assertArrayEquals(alone(seeded(PROMPT, 20, 2), 1).ids(), both.get(1).ids());
    }
  }

  @Test
  void a_full_cache_is_a_reason_of_its_own() throws Exception {
    Generation full = alone(seeded(Models.prompt(5, 120), 50, 1), 1);
    assertEquals(new Finish.CacheFull(128), full.finish());
    assertEquals(9, full.ids().length, "the last token drawn has no position of its own");
  }

  @Test
  void a_prompt_that_no_slot_can_hold_is_refused() throws Exception {
    try (Snapshot weights = Models.small(1, 1);
        Generator generator = new Generator(weights, Models.settings(1, 4))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> generator.submit(seeded(Models.prompt(5, 128), 1, 1)));
      assertThrows(
          IllegalArgumentException.class, () -> generator.submit(seeded(new int[] {96}, 1, 1)));
    }
  }

  @Test
  void cancelling_ends_what_runs_and_what_waits() throws Exception {
    try (Snapshot weights = Models.small(1, 1);
        Generator generator = new Generator(weights, Models.settings(1, 1))) {
      CountDownLatch begun = new CountDownLatch(3);
      CountDownLatch go = new CountDownLatch(1);
      Generator.Ticket running =
          generator.submit(
              heard(
                  PROMPT, 100, 1,
                  id -> {
                    begun.countDown();
                    if (begun.getCount() == 0) {
                      try {
                        go.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }
                    return false;
                  }));
      begun.await();
      Generator.Ticket waiting = generator.submit(seeded(PROMPT, 100, 2));
      waiting.cancel();
      assertEquals(new Finish.Cancelled(), Models.await(waiting).finish());
      running.cancel();
      go.countDown();
      assertEquals(new Finish.Cancelled(), Models.await(running).finish());
      assertEquals(3, Models.await(running).ids().length);
      assertEquals(5, Models.run(generator, seeded(PROMPT, 5, 1)).ids().length);
    }
  }

  @Test
  void L46_numbers_that_are_not_finite_fail_their_own_sequence_alone() throws Exception {
    int[] poisoned = PROMPT.clone();
    poisoned[4] = 17;
    int[] sound = Arrays.stream(PROMPT).map(id -> id == 17 ? 18 : id).toArray();
    try (Snapshot weights = Models.small(1, 1, 17);
        Generator generator = new Generator(weights, Models.settings(1, 3))) {
      List<Generation> both =
          Models.run(
              generator,
              List.of(
                  seeded(sound, 8, 3), seeded(poisoned, 8, 1), seeded(poisoned, 8, 2)));
      assertEquals("not_finite", ((Finish.Failed) both.get(1).finish()).kind());
      assertEquals("not_finite", ((Finish.Failed) both.get(2).finish()).kind());
      assertEquals(0, both.get(1).ids().length);
      Generation alone = both.get(0);
      // the slots that held them serve others, shorter ones too
      List<Generation> later =
          Models.run(
              generator,
              List.of(
                  seeded(sound, 8, 3), seeded(Models.prompt(8, 3), 4, 1),
                  seeded(Models.prompt(9, 2), 4, 1)));
      assertInstanceOf(Finish.MaxTokens.class, alone.finish());
      assertArrayEquals(alone.ids(), later.get(0).ids());
      assertInstanceOf(Finish.MaxTokens.class, later.get(1).finish());
      assertInstanceOf(Finish.MaxTokens.class, later.get(2).finish());
    }
  }

  @Test
  void more_than_the_queue_holds_is_refused_as_a_whole() throws Exception {
    GeneratorSettings tight = new GeneratorSettings(1, 1, 2, 3, 64, 64, 32, 0);
    try (Snapshot weights = Models.small(1, 1);
        Generator generator = new Generator(weights, tight)) {
      assertThrows(
          QueueFull.class,
          () ->
              generator.submit(
                  IntStream.range(0, 4).mapToObj(i -> seeded(PROMPT, 5, i)).toList()));
      assertEquals(0, generator.load().waiting());
      assertEquals(5, Models.run(generator, seeded(PROMPT, 5, 1)).ids().length);
    }
  }

  @Test
  void a_prompt_longer_than_a_chunk_is_the_same_in_parts() throws Exception {
    int[] prompt = Models.prompt(6, 100);
    GeneratorSettings parts = new GeneratorSettings(1, 1, 4, 10, 128, 1024, 7, 0);
    try (Snapshot weights = Models.small(1, 1);
        Generator generator = new Generator(weights, parts)) {
      List<Generation> got =
          Models.run(
              generator,
              List.of(seeded(prompt, 20, 1), seeded(Models.prompt(6, 41), 20, 2)));
      assertArrayEquals(alone(seeded(prompt, 20, 1), 1).ids(), got.get(0).ids());
      assertArrayEquals(
          alone(seeded(Models.prompt(6, 41), 20, 2), 1).policyLogProbs(),
          got.get(1).policyLogProbs(), 1e-5);
    }
  }

  @Test
  void closing_answers_everything() throws Exception {
    Snapshot weights = Models.small(1, 1);
    Generator generator = new Generator(weights, Models.settings(2, 2));
    weights.close();
    List<Generator.Ticket> tickets =
        generator.submit(IntStream.range(0, 50).mapToObj(i -> seeded(PROMPT, 100, i)).toList());
    generator.close();
    for (Generator.Ticket ticket : tickets) {
      Finish finish = Models.await(ticket).finish();
      assertTrue(
          finish instanceof Finish.MaxTokens
              || finish instanceof Finish.Failed f && f.kind().equals("closed"));
    }
    assertTrue(weights.isFreed());
    assertThrows(QueueFull.class, () -> generator.submit(seeded(PROMPT, 1, 1)));
  }

  @Test
  void L50_native_arrays_are_as_many_after_two_thousand_steps_as_before() throws Exception {
    try (Snapshot weights = Models.small(1, 1);
        Generator generator = new Generator(weights, Models.settings(1, 4))) {
      for (int round = 0; round < 45; round++) {
        int from = round;
        Models.run(
            generator,
            IntStream.range(0, 6)
                .mapToObj(i -> seeded(Models.prompt(10L * from + i, 20), 25, i))
                .toList());
        // the last result is told inside the last step
        while (generator.load().running() > 0) {
          Thread.onSpinWait();
        }
        Generator.Load load = generator.load();
        assertEquals(1, load.arrays(), "round " + round);
        assertTrue(load.prefixTokens() <= 4096, "round " + round);
        assertEquals(load.prefixTokens(), 44L * load.prefixes(), "round " + round);
      }
    }
  }
}
