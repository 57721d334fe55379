package rubricem.persistence.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import rubricem.persistence.journal.JournalFrames.Frame;

class JournalFramesProperties {
  @Provide
  Arbitrary<List<Frame>> frames() {
    return Combinators.combine(
            Arbitraries.integers(), Arbitraries.strings().ofMaxLength(200),
            Arbitraries.bytes().array(byte[].class).ofMaxSize(300))
        .as(Frame::new)
        .list()
        .ofMaxSize(6);
  }

  @Property(tries = 300)
  void what_is_written_is_read(@ForAll("frames") List<Frame> frames) {
    List<Frame> read = JournalFrames.read(JournalFrames.write(frames));
    assertEquals(frames.size(), read.size());
    for (int i = 0; i < frames.size(); i++) {
      assertEquals(frames.get(i).serializer(), read.get(i).serializer());
      assertEquals(valid(frames.get(i).manifest()), read.get(i).manifest());
      assertArrayEquals(frames.get(i).payload(), read.get(i).payload());
    }
  }

  /** Half a surrogate pair is no text and is not kept. */
  private static String valid(String text) {
    return new String(
        text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
        java.nio.charset.StandardCharsets.UTF_8);
  }

  @Property(tries = 200)
  void a_write_that_was_cut_is_never_read_as_a_whole_one(
      @ForAll("frames") List<Frame> frames, @ForAll int at) {
    byte[] whole = JournalFrames.write(frames);
    byte[] cut = java.util.Arrays.copyOf(whole, Math.floorMod(at, whole.length));
    try {
      assertTrue(JournalFrames.read(cut).size() < Math.max(1, frames.size()));
    } catch (RuntimeException refused) {
      assertTrue(cut.length < whole.length);
    }
  }

  @Property(tries = 300)
  void long_texts_shrink_and_come_back(
      @ForAll @net.jqwik.api.constraints.StringLength(min = 1, max = 40) String words,
      @ForAll @net.jqwik.api.constraints.IntRange(min = 600, max = 70_000) int length) {
    byte[] text =
        words.repeat(length / words.length() + 1)
            .getBytes(java.nio.charset.StandardCharsets.UTF_8);
    byte[] stored = JournalFrames.write(List.of(new Frame(7, "text.1", text)));
    assertTrue(stored.length < text.length);
    assertArrayEquals(text, JournalFrames.read(stored).getFirst().payload());
  }

  @Property(tries = 100)
  void what_does_not_shrink_is_stored_as_it_is(
      @ForAll @net.jqwik.api.constraints.Size(min = 600, max = 5_000) byte[] noise) {
    byte[] stored = JournalFrames.write(List.of(new Frame(-3, "noise.1", noise)));
    assertTrue(stored.length <= noise.length + 30);
    assertArrayEquals(noise, JournalFrames.read(stored).getFirst().payload());
  }

  @Property(tries = 200)
  void a_deflated_write_that_was_cut_is_refused(@ForAll int at) {
    byte[] whole =
        JournalFrames.write(List.of(new Frame(7, "text.1", "autovacuum ".repeat(300).getBytes(
            java.nio.charset.StandardCharsets.UTF_8))));
    byte[] cut = java.util.Arrays.copyOf(whole, 1 + Math.floorMod(at, whole.length - 1));
    assertThrows(RuntimeException.class, () -> JournalFrames.read(cut));
  }

  @Example
  void a_newer_frame_says_what_to_do() {
    JournalUnusable refused =
        assertThrows(JournalUnusable.class, () -> JournalFrames.read(new byte[] {7}));
    assertTrue(refused.getMessage().contains("newer version"));
  }
}
