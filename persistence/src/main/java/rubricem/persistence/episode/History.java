package rubricem.persistence.episode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;

/**
 * The turns and the evidence of an episode, which are nearly all it weighs. An episode that waits
 * for a slow model has its history packed, so that many can wait; whoever reads it next unpacks it.
 * Packing changes the representation only: two histories are equal when their contents are.
 *
 * <p>Texts come from stored events and hold no halves of surrogate pairs, so UTF-8 keeps them whole.
 */
public final class History {
  public static final History EMPTY = new History(List.of(), List.of());

  private volatile Content content;

  private sealed interface Content {}

  private record Open(List<TurnRecord> turns, List<Snippet> evidence) implements Content {}

  /** The same lists with blank texts, the lengths of the texts, and the texts deflated. */
  private record Packed(
      List<TurnRecord> turns, List<Snippet> evidence, int[] lengths, byte[] texts)
      implements Content {}

  public History(List<TurnRecord> turns, List<Snippet> evidence) {
    this.content = new Open(turns, evidence);
  }

  public List<TurnRecord> turns() {
    return open().turns();
  }

  public List<Snippet> evidence() {
    return open().evidence();
  }

  /** Makes it small until it is read again. */
  public void pack() {
    if (content instanceof Open open) {
      content = packed(open);
    }
  }

  private Open open() {
    return switch (content) {
      case Open open -> open;
      case Packed packed -> {
        Open open = unpacked(packed);
        content = open;
        yield open;
      }
    };
  }

  private static Packed packed(Open open) {
    List<String> texts = new ArrayList<>();
    open.turns().forEach(turn -> texts.add(turn.text()));
    open.evidence().forEach(snippet -> texts.add(snippet.passage().text()));
    return new Packed(
        open.turns().stream().map(turn -> withText(turn, "")).toList(),
        open.evidence().stream().map(snippet -> withText(snippet, "")).toList(),
        texts.stream().mapToInt(String::length).toArray(),
        deflated(String.join("", texts)));
  }

  private static Open unpacked(Packed packed) {
    String all = inflated(packed.texts());
    List<TurnRecord> turns = new ArrayList<>(packed.turns().size());
    List<Snippet> evidence = new ArrayList<>(packed.evidence().size());
    int at = 0;
    int text = 0;
    for (TurnRecord turn : packed.turns()) {
      int end = at + packed.lengths()[text++];
      turns.add(withText(turn, all.substring(at, end)));
      at = end;
    }
    for (Snippet snippet : packed.evidence()) {
      int end = at + packed.lengths()[text++];
      evidence.add(withText(snippet, all.substring(at, end)));
      at = end;
    }
    return new Open(List.copyOf(turns), List.copyOf(evidence));
  }

  private static TurnRecord withText(TurnRecord turn, String text) {
    return new TurnRecord(turn.callId(), text, turn.finish(), turn.reply());
  }

  private static Snippet withText(Snippet snippet, String text) {
    Passage p = snippet.passage();
    return new Snippet(
        snippet.id(), snippet.callId(), snippet.tool(),
        new Passage(
            p.document(), p.title(), p.url(), p.position(), p.from(), p.to(), text, p.score(),
            p.note()));
  }

  private static byte[] deflated(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  private static String inflated(byte[] bytes) {
    Inflater inflater = new Inflater(true);
    try (InflaterInputStream in =
        new InflaterInputStream(new ByteArrayInputStream(bytes), inflater)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be read", e);
    } finally {
      inflater.end();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof History history && open().equals(history.open());
  }

  @Override
  public int hashCode() {
    return open().hashCode();
  }

  @Override
  public String toString() {
    return "History" + turns() + evidence();
  }
}
