package rubricem.persistence.serialization;

import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import rubricem.protocol.episode.EpisodeEvent;

/**
 * Writes the golden files that are missing, from {@link EventSamples}. One that is there is never
 * written again: it stands for what is on people's disks. Run it from the repository root.
 */
public final class GoldenEvents {
  static final Path FOLDER = Path.of("src/test/resources/golden");

  private GoldenEvents() {}

  public static void main(String[] args) throws IOException {
    Files.createDirectories(FOLDER.resolve("events"));
    Files.createDirectories(FOLDER.resolve("journals"));
    DurableSerializer serializer = new DurableSerializer();
    ObjectWriter pretty = DurableFormat.json().writerWithDefaultPrettyPrinter();
    StringBuilder journal = new StringBuilder();
    for (EpisodeEvent event : EventSamples.all()) {
      String name = serializer.manifest(event);
      byte[] bytes = serializer.toBinary(event);
      write("events/" + name + ".cbor", bytes);
      write("events/" + name + ".json", pretty.writeValueAsBytes(DurableFormat.json(1, event)));
      journal.append(
          DurableFormat.json().createObjectNode().put("name", name)
              .put("cbor", Base64.getEncoder().encodeToString(bytes)));
      journal.append('\n');
    }
    write("journals/everything.1.jsonl", journal.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void write(String name, byte[] bytes) throws IOException {
    if (!Files.exists(FOLDER.resolve(name))) {
      Files.write(FOLDER.resolve(name), bytes);
    }
  }
}
