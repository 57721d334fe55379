package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** An event stream means the same wherever its bytes are cut. */
class SseDecoderProperties {
  @Provide
  Arbitrary<List<String>> payloads() {
    return Arbitraries.strings().withChars("aé潮🌊 {}:\"".toCharArray()).ofMinLength(1).ofMaxLength(
        12)
        .filter(s -> !s.isBlank() && !s.startsWith(" ") && wellFormed(s)).list().ofMaxSize(6);
  }

  private static boolean wellFormed(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  @Property(tries = 500)
  void gives_the_same_events_however_the_bytes_are_cut(
      @ForAll("payloads") List<String> payloads,
      @ForAll boolean returns,
      @ForAll boolean comments,
      @ForAll @IntRange(min = 1, max = 50) int piece)
      throws Exception {
    String eol = returns ? "\r\n" : "\n";
    StringBuilder stream = new StringBuilder("\uFEFF");
    for (String payload : payloads) {
      stream.append(comments ? ": ping" + eol + eol + "event: x" + eol + "id: 3" + eol : "")
          .append("data: ").append(payload).append(eol).append(eol);
    }
    assertEquals(payloads, events(stream.toString(), piece, 1_000));
  }

  private static List<String> events(String stream, int piece, int bound) throws Exception {
    SseDecoder decoder = new SseDecoder(bound);
    byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
    List<String> events = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += piece) {
      events.addAll(
          decoder.feed(
              ByteBuffer.wrap(
                  Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + piece)))));
    }
    events.addAll(decoder.end());
    return events;
  }

  @Example
  void joins_the_lines_of_one_event_and_passes_over_events_without_data() throws Exception {
    assertEquals(List.of("a\nb", "c"),
        events("data: a\ndata:b\n\ndata:\n\nevent: ping\n\n: x\n\rdata: c", 3, 100));
  }

  @Example
  void an_event_past_the_bound_is_refused_even_without_a_line_end() {
    assertThrows(SseDecoder.TooLong.class, () -> events("data: " + "x".repeat(200), 7, 100));
    assertThrows(
        SseDecoder.TooLong.class, () -> events("data: xxxxxxxxxx\n".repeat(50), 7, 100));
  }
}
