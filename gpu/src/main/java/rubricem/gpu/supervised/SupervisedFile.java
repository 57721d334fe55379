package rubricem.gpu.supervised;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import rubricem.gpu.text.JsonLines;
import rubricem.protocol.learning.SupervisedRow;

/**
 * The rows of a data file, all in memory, and what became none. A record that cannot be read at all
 * ends the reading with its line: a file that is half understood must not be trained on.
 *
 * @param omitted how many records were left out, by reason; only reasons that occurred
 * @param tokens of all rows
 * @param trained tokens of all rows that carry loss
 */
public record SupervisedFile(
    List<SupervisedRow> rows, Map<Omission, Integer> omitted, long tokens, long trained) {
  /** Five bytes each: half a gigabyte of heap. A larger set is several files and several runs. */
  public static final long TOKENS_MAX = 100_000_000;

  /** What a file that is laid out for people begins with. */
  private static final List<String> SPREAD = List.of("{", "[");

  private static final int HINT_CHARS_MAX = 100;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  public SupervisedFile {
    rows = List.copyOf(rows);
    omitted = Map.copyOf(omitted);
  }

  /**
   * Reads JSON Lines.
   *
   * @param vocabulary tokens the model has
   * @param encoder from text to tokens
   * @param end the token that ends a text, where it is certain
   * @throws IOException with file, line and reason
   */
  public static SupervisedFile read(
      Path file, RowSettings settings, int vocabulary, Function<String, int[]> encoder,
      OptionalInt end)
      throws IOException {
    RecordReader reader = new RecordReader(settings, vocabulary, encoder, end);
    List<SupervisedRow> rows = new ArrayList<>();
    Map<Omission, Integer> omitted = new EnumMap<>(Omission.class);
    long tokens = 0;
    long trained = 0;
    try (JsonLines lines = JsonLines.open(file)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        switch (record(reader, file, lines.number(), line)) {
          case Reading.Row(SupervisedRow row) -> {
            rows.add(row);
            tokens += row.length();
            trained += row.trainedTokens();
          }
          case Reading.Omitted(Omission why) -> omitted.merge(why, 1, Integer::sum);
        }
        if (tokens > TOKENS_MAX) {
          throw new IOException(
              file + " has more than " + TOKENS_MAX + " tokens; train on parts of it in turn");
        }
      }
    }
    return new SupervisedFile(rows, omitted, tokens, trained);
  }

  private static Reading record(RecordReader reader, Path file, int number, String line)
      throws IOException {
    try {
      JsonNode record = MAPPER.readTree(line);
      JsonNode id = record.path("id");
      return reader.read(id.isTextual() ? id.textValue() : "line " + number, record);
    } catch (StreamConstraintsException e) {
      throw new IOException(
          file + ", line " + number + " is beyond what is read: " + e.getOriginalMessage(), e);
    } catch (JsonProcessingException e) {
      throw new IOException(
          file + ", line " + number + " is no JSON object"
              + (line.length() < HINT_CHARS_MAX && SPREAD.contains(line.strip())
                  ? "; a record is one line, and this one is spread over several"
                  : ""),
          e);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ", line " + number + ": " + e.getMessage(), e);
    }
  }
}
