package rubricem.persistence.serialization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.TokenUsage;

/** What is written is read again, to the last character and option. */
class DurableFormatProperties {
  private static final CallId CALL = CallId.parse("e1/1");
  private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_001L);
  private final DurableSerializer serializer = new DurableSerializer();

  private EpisodeEvent again(EpisodeEvent event) {
    return (EpisodeEvent)
        serializer.fromBinary(serializer.toBinary(event), serializer.manifest(event));
  }

  @Example
  void every_sample_comes_back_equal() {
    for (EpisodeEvent sample : EventSamples.all()) {
      assertEquals(sample, again(sample));
    }
  }

  @Example
  void attributes_of_a_call_keep_their_order() {
    var call = new EpisodeEvent.ToolCallRequested(AT, CALL, EventSamples.tool());
    var back = (EpisodeEvent.ToolCallRequested) again(call);
    assertEquals(
        List.of("limit", "document", "around"),
        new ArrayList<>(back.call().attributes().keySet()));
  }

  @Property(tries = 300)
  void any_text_of_whole_characters_comes_back_equal(
      @ForAll int[] points, @ForAll Optional<Boolean> thinks, @ForAll FinishReason finish) {
    StringBuilder text = new StringBuilder();
    for (int point : points) {
      int valid = Math.floorMod(point, Character.MAX_CODE_POINT + 1);
      boolean half = valid >= Character.MIN_SURROGATE && valid <= Character.MAX_SURROGATE;
      text.appendCodePoint(half ? 0 : valid);
    }
    EpisodeEvent turn =
        new EpisodeEvent.PolicyTurnGenerated(
            AT, CALL, text.toString(), thinks.map(b -> text.toString()), finish,
            new TokenUsage(points.length, 2, 0.1), "m");
    assertEquals(turn, again(turn));
  }

  @Property(tries = 200)
  void failures_times_and_waits_come_back_equal(
      @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long millis,
      @ForAll @LongRange(min = 0, max = 86_400_000) long wait, @ForAll boolean retried) {
    Optional<Duration> after = retried ? Optional.of(Duration.ofMillis(wait)) : Optional.empty();
    EpisodeEvent failed =
        new EpisodeEvent.ToolCallFailed(
            Instant.ofEpochMilli(millis), CALL, 3, new CallFailure.Transient("t", "m", after),
            after.map(Instant.ofEpochMilli(millis)::plus));
    assertEquals(failed, again(failed));
  }

  @Example
  void half_a_character_does_not_keep_an_event_from_being_stored() {
    var back = (EpisodeEvent.EpisodeResumed)
        again(new EpisodeEvent.EpisodeResumed(AT, "a\ud83cb"));
    assertEquals("a\ufffdb", back.policy());
  }

  @Example
  void fields_of_a_newer_program_are_passed_over_and_absent_options_are_empty()
      throws IOException {
    ObjectMapper cbor = new ObjectMapper(new CBORFactory());
    ObjectNode node = cbor.createObjectNode();
    node.put("at", AT.toEpochMilli()).put("callId", "e1/1").put("text", "t").put("finish", "stop");
    node.putObject("usage").put("promptTokens", 1).put("completionTokens", 2).put("costUsd", 0);
    node.put("modelVersion", "m").putObject("later").put("x", 1);
    var turn = (EpisodeEvent.PolicyTurnGenerated)
        serializer.fromBinary(cbor.writeValueAsBytes(node), "policy_turn_generated.1");
    assertEquals(Optional.empty(), turn.thinking());
    assertEquals(AT, turn.at());
  }

  @Example
  void a_kind_of_a_newer_program_is_named() {
    UnknownKind e =
        assertThrows(UnknownKind.class, () -> serializer.fromBinary(new byte[0], "dreamt.1"));
    assertTrue(e.getMessage().contains("\"dreamt.1\"") && e.getMessage().contains("newer"));
  }
}
