package rubricem.gpu.weights;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The JSON files of a model folder; a repeated key, over which readers differ, is refused. */
final class Json {
  /** A configuration has kilobytes; the index of a thousand shards some megabytes. */
  private static final long BYTES_MAX = 64L << 20;

  static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Json() {}

  static ObjectNode read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new UnusableFolderException(file, "the file is not there");
    }
    if (Files.size(file) > BYTES_MAX) {
      throw new UnusableFolderException(file, "larger than " + BYTES_MAX + " bytes");
    }
    return parse(file, Files.readAllBytes(file));
  }

  static ObjectNode parse(Path file, byte[] text) throws IOException {
    try {
      if (MAPPER.readTree(text) instanceof ObjectNode object) {
        return object;
      }
      throw new UnusableFolderException(file, "no JSON object");
    } catch (JsonProcessingException e) {
      throw new UnusableFolderException(file, "no valid JSON: " + e.getOriginalMessage());
    }
  }

  /** Written beside the file and renamed, so that a reader sees the old one or the new one. */
  static void write(Path file, ObjectNode object) throws IOException {
    String text = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(object) + "\n";
    WholeFile.write(file, out -> WholeFile.writeAll(out, StandardCharsets.UTF_8.encode(text)));
  }

  /** Absent and null are the same to the programs that write these files. */
  static boolean isGiven(ObjectNode object, String key) {
    JsonNode value = object.get(key);
    return value != null && !value.isNull();
  }
}
