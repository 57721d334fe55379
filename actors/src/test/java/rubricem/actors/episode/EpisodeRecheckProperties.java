package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import rubricem.actors.episode.EpisodeRecheck.Checked;
import rubricem.persistence.serialization.DurableSerializer;
import rubricem.protocol.episode.EpisodeEvent;

/** What the decider decides is decided again from the journal, and nothing else is. */
class EpisodeRecheckProperties {
  private final EpisodeRecheck recheck = new EpisodeRecheck(RandomEpisode.SETTINGS);
  private final DurableSerializer serializer = new DurableSerializer();

  private List<EpisodeEvent> stored(List<EpisodeEvent> events) {
    return events.stream()
        .map(
            e ->
                (EpisodeEvent)
                    serializer.fromBinary(serializer.toBinary(e), serializer.manifest(e)))
        .toList();
  }

  @Property(tries = 400)
  void every_stored_episode_is_decided_again(@ForAll long seed) {
    List<EpisodeEvent> events = RandomEpisode.events(new Random(seed), 30);
    List<EpisodeEvent> read = stored(events);
    assertEquals(events, read, "storing must change nothing");
    Checked checked = recheck.check(read);
    assertEquals(Optional.empty(), checked.divergence());
    assertEquals(events.size(), checked.events());
  }

  @Example
  void chance_reaches_every_kind_of_event() {
    Set<String> kinds = new TreeSet<>();
    for (int seed = 0; seed < 300; seed++) {
      RandomEpisode.events(new Random(seed), 40).forEach(e -> kinds.add(e.kind()));
    }
    Set<String> all = new TreeSet<>();
    for (Class<?> type : EpisodeEvent.class.getPermittedSubclasses()) {
      all.add(EpisodeEvent.Kinds.of(type));
    }
    assertEquals(all, kinds);
  }

  @Property(tries = 200)
  void an_event_that_is_left_out_is_noticed(@ForAll long seed, @ForAll int which) {
    List<EpisodeEvent> events =
        new ArrayList<>(RandomEpisode.events(new Random(seed), 20));
    // an event that is a whole write may leave a rest that could have happened too
    int gone = Math.floorMod(which, events.size() - 1);
    EpisodeEvent removed = events.remove(gone);
    boolean alone =
        switch (removed) {
          case EpisodeEvent.CallRepeated e -> true;
          case EpisodeEvent.EpisodeCancelled e -> true;
          case EpisodeEvent.CallRetried e -> true;
          case EpisodeEvent.PolicyCallFailed e -> e.retryAt().isPresent();
          case EpisodeEvent.ToolCallFailed e -> e.retryAt().isPresent();
          default -> false;
        };
    Checked checked = recheck.check(events);
    assertTrue(alone || checked.divergence().isPresent(), () -> gone + " of " + events);
  }

  @Example
  void an_altered_event_is_named_with_what_is_decided_today() {
    List<EpisodeEvent> events = new ArrayList<>(RandomEpisode.events(new Random(5), 30));
    int at = 0;
    while (!(events.get(at) instanceof EpisodeEvent.ToolCallRequested)) {
      at++;
    }
    var asked = (EpisodeEvent.ToolCallRequested) events.get(at);
    var call = asked.call();
    events.set(
        at,
        new EpisodeEvent.ToolCallRequested(
            asked.at(), asked.callId(),
            new rubricem.protocol.scaffold.ToolCall(call.tool(), "other", call.attributes())));
    var divergence = recheck.check(events).divergence().orElseThrow();
    assertEquals(at + 1, divergence.event());
    assertEquals("policy finished", divergence.input());
    assertEquals(Optional.of(events.get(at)), divergence.stored());
    assertEquals(Optional.of(asked), divergence.decided());
  }

  @Example
  void a_journal_that_ends_inside_a_decision_is_noticed() {
    List<EpisodeEvent> events = RandomEpisode.events(new Random(1), 3).subList(0, 1);
    var divergence = recheck.check(events).divergence().orElseThrow();
    assertEquals(2, divergence.event());
    assertEquals(Optional.empty(), divergence.stored());
    assertEquals("policy_call_requested", divergence.decided().orElseThrow().kind());
  }

  @Example
  void other_settings_show_as_a_divergence() {
    EpisodeSettings s = RandomEpisode.SETTINGS;
    var strict =
        new EpisodeRecheck(
            new EpisodeSettings(
                s.policyRetries(), s.unreachableRetries(), s.finalPolicyRetries(),
                s.toolRetries(), 4, 3, 1, 1, 0.25,
                Duration.ofSeconds(60), s.grace(), s.policyTimeout(), s.toolTimeout(), 2_000,
                100, 20));
    boolean differs = false;
    for (int seed = 0; seed < 20; seed++) {
      differs |= strict.check(RandomEpisode.events(new Random(seed), 30)).divergence().isPresent();
    }
    assertTrue(differs);
  }
}
