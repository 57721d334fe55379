package rubricem.persistence.serialization;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.module.paramnames.ParameterNamesModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import rubricem.protocol.CborSerializable;
import rubricem.protocol.episode.EpisodeEvent;

/**
 * How durable records are written: CBOR on disk, times as milliseconds since 1970, absent options
 * left out; and the same records as JSON in snake case for people and programs.
 */
public final class DurableFormat {
  /** Lenient: half a character must not keep an event from being stored; it becomes U+FFFD. */
  private static final ObjectMapper CBOR =
      configured(
          new ObjectMapper(
              CBORFactory.builder()
                  .enable(CBORGenerator.Feature.LENIENT_UTF_ENCODING)
                  .build()));
  private static final ObjectMapper JSON =
      configured(new ObjectMapper(new JsonFactory()))
          .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
  private static final Map<Class<?>, ObjectReader> READERS = new ConcurrentHashMap<>();
  private static final ObjectWriter WRITER = CBOR.writer();

  private DurableFormat() {}

  private static ObjectMapper configured(ObjectMapper mapper) {
    return mapper
        .registerModule(new Jdk8Module())
        .registerModule(new JavaTimeModule())
        .registerModule(new ParameterNamesModule())
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(DeserializationFeature.READ_DATE_TIMESTAMPS_AS_NANOSECONDS)
        .disable(SerializationFeature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS)
        .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
        .setSerializationInclusion(com.fasterxml.jackson.annotation.JsonInclude.Include.NON_ABSENT);
  }

  /** The mapper of everything shown as JSON: snake case, ISO times. */
  public static ObjectMapper json() {
    return JSON;
  }

  static byte[] write(CborSerializable durable) {
    try {
      return WRITER.writeValueAsBytes(durable);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** @throws UnknownKind where a newer program has written the record */
  public static CborSerializable read(String name, byte[] bytes) {
    Class<? extends CborSerializable> type = DurableKinds.type(name);
    try {
      return READERS.computeIfAbsent(type, CBOR::readerFor).readValue(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("a stored record of kind " + name + " cannot be read", e);
    }
  }

  /** The event as one JSON object: its number, its kind, then its own fields. */
  public static ObjectNode json(long sequence, EpisodeEvent event) {
    ObjectNode node = JSON.createObjectNode();
    node.put("sequence", sequence);
    node.put("kind", event.kind());
    node.setAll((ObjectNode) JSON.valueToTree(event));
    return node;
  }
}
