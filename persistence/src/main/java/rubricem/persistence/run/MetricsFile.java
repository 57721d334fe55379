package rubricem.persistence.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import rubricem.protocol.run.TrainingRuns.Steps;

/**
 * {@code metrics.jsonl} of a run, read while the trainer appends to it. A line counts once it has
 * its end, so a half-written one is never seen; a step that was written twice counts as written
 * last. However long the file is, one page and one line are held.
 */
final class MetricsFile {
  /** A line has some forty numbers, about 1 kB. */
  static final int LINE_BYTES_MAX = 16_384;

  /** Sixty thousand steps; of a longer file the end is read. */
  private static final long BYTES_MAX = 64L << 20;

  private static final ObjectReader READER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .readerForMapOf(Object.class);

  private final Path file;

  MetricsFile(Path file) {
    this.file = file;
  }

  /** @param unreadable complete lines that are no object with a step */
  record Page(List<Map<String, Object>> rows, Optional<Long> next, int unreadable) {}

  /** What the last complete line says that can be read. */
  Optional<Map<String, Object>> last() throws IOException {
    AtomicReference<Optional<Map<String, Object>>> last = new AtomicReference<>(Optional.empty());
    // some more than one line: a broken one at the end must not hide the one before it
    read(4L * LINE_BYTES_MAX, line -> row(line).map(Optional::of).ifPresent(last::set));
    return last.get();
  }

  Page page(Steps steps) throws IOException {
    TreeMap<Long, Map<String, Object>> rows = new TreeMap<>();
    int[] unreadable = {0};
    read(BYTES_MAX, line -> {
      Optional<Map<String, Object>> row = row(line);
      if (row.isEmpty()) {
        unreadable[0]++;
      }
      row.filter(r -> step(r) > steps.after()).ifPresent(r -> rows.put(step(r), r));
      if (rows.size() > steps.limit() + 1) {
        rows.pollLastEntry();
      }
    });
    boolean more = rows.size() > steps.limit();
    if (more) {
      rows.pollLastEntry();
    }
    return new Page(
        List.copyOf(rows.values()), more ? Optional.of(rows.lastKey()) : Optional.empty(),
        unreadable[0]);
  }

  static long step(Map<String, Object> row) {
    return ((Number) row.get("step")).longValue();
  }

  private static Optional<Map<String, Object>> row(byte[] line) {
    try {
      Map<String, Object> row = READER.readValue(line);
      Object step = row == null ? null : row.get("step");
      boolean counts =
          (step instanceof Integer || step instanceof Long) && ((Number) step).longValue() >= 0;
      return counts ? Optional.of(row) : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The complete lines within the last {@code bytesMax} bytes; a longer line comes as nothing. */
  private void read(long bytesMax, Consumer<byte[]> reader) throws IOException {
    if (PlainFiles.file(file).isEmpty()) {
      return;
    }
    try (SeekableByteChannel channel =
        Files.newByteChannel(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long from = Math.max(0, channel.size() - bytesMax);
      channel.position(from);
      lines(Channels.newInputStream(channel), from > 0, reader);
    } catch (NoSuchFileException e) {
      // it has gone meanwhile: nothing is there
    }
  }

  private static void lines(InputStream in, boolean inTheMiddle, Consumer<byte[]> reader)
      throws IOException {
    byte[] piece = new byte[LINE_BYTES_MAX];
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean skipping = inTheMiddle;
    boolean tooLong = false;
    for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
      for (int i = 0; i < read; i++) {
        if (piece[i] != '\n') {
          tooLong |= line.size() >= LINE_BYTES_MAX;
          if (!skipping && !tooLong) {
            line.write(piece[i]);
          }
          continue;
        }
        boolean blank = line.size() == 0 && !tooLong;
        if (!skipping && !blank) {
          reader.accept(tooLong ? new byte[0] : line.toByteArray());
        }
        line.reset();
        skipping = false;
        tooLong = false;
      }
    }
  }
}
