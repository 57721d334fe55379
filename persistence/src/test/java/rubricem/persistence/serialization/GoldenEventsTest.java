package rubricem.persistence.serialization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.UnreadableKind;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.TokenUsage;

/** What was once written is read by today's code, kind by kind and as a whole journal. */
class GoldenEventsTest {
  private static final Path EVENTS = GoldenEvents.FOLDER.resolve("events");
  private final DurableSerializer serializer = new DurableSerializer();

  @Test
  void every_kind_that_can_be_stored_has_a_golden_file() {
    Set<String> missing = new TreeSet<>();
    for (String name : DurableKinds.all().keySet()) {
      for (String ending : List.of(".cbor", ".json")) {
        if (!Files.exists(EVENTS.resolve(name + ending))) {
          missing.add(name + ending);
        }
      }
    }
    assertEquals(Set.of(), missing, "run GoldenEvents and commit what it writes");
  }

  @Test
  void every_golden_event_is_read_as_what_it_was() throws IOException {
    List<Path> files = files(EVENTS, ".cbor");
    assertTrue(files.size() >= EpisodeEvent.class.getPermittedSubclasses().length);
    for (Path file : files) {
      String name = file.getFileName().toString().replace(".cbor", "");
      EpisodeEvent event = (EpisodeEvent) serializer.fromBinary(Files.readAllBytes(file), name);
      JsonNode expected =
          DurableFormat.json().readTree(EVENTS.resolve(name + ".json").toFile());
      JsonNode actual = DurableFormat.json().readTree(DurableFormat.json(1, event).toString());
      assertEquals(expected, actual, name);
    }
  }

  @Test
  void the_samples_are_still_what_the_golden_files_hold() throws IOException {
    Set<String> seen = new TreeSet<>();
    for (EpisodeEvent sample : EventSamples.all()) {
      String name = serializer.manifest(sample);
      if (seen.add(name)) {
        byte[] golden = Files.readAllBytes(EVENTS.resolve(name + ".cbor"));
        assertEquals(sample, serializer.fromBinary(golden, name));
      }
    }
  }

  /** The golden files are of a program that knew sentences only. */
  @Test
  void kinds_of_unreadable_documents_are_stored_beside_their_sentences() {
    var unread = new Searched.Unread("a.pdf", UnreadableKind.SCANNED, "7");
    Searched searched = new Searched(1, 2, List.of(unread.line()), List.of(unread));
    EpisodeEvent.ToolCallCompleted event =
        new EpisodeEvent.ToolCallCompleted(
            Instant.EPOCH, CallId.parse("e/2"), List.of(), List.of(), searched, List.of(),
            List.of());
    String name = serializer.manifest(event);
    assertEquals(event, serializer.fromBinary(serializer.toBinary(event), name));
    JsonNode json = DurableFormat.json(1, event).get("searched").get("unread").get(0);
    assertEquals("{\"document\":\"a.pdf\",\"kind\":\"scanned\",\"detail\":\"7\"}", json + "");
    assertEquals(UnreadableKind.OTHER, UnreadableKind.of("telepathy"));
  }

  @Test
  void what_a_failed_attempt_cost_is_stored_where_it_is_known() {
    EpisodeEvent.PolicyCallFailed event =
        new EpisodeEvent.PolicyCallFailed(
            Instant.EPOCH, CallId.parse("e/2"), 1, new CallFailure.Terminal("filtered", "no"),
            Optional.empty(), Optional.of(new TokenUsage(1, 2, 0.5)));
    String name = serializer.manifest(event);
    assertEquals(event, serializer.fromBinary(serializer.toBinary(event), name));
  }

  /** A record's own component of that name would hide it, and did once. */
  @Test
  void every_event_is_called_by_its_kind() {
    for (EpisodeEvent sample : EventSamples.all()) {
      String kind = EpisodeEvent.Kinds.of(sample.getClass());
      assertEquals(kind, sample.kind());
      assertEquals(kind, DurableFormat.json(1, sample).get("kind").asText());
    }
  }

  @Test
  void a_whole_golden_journal_is_folded() throws IOException {
    for (Path file : files(GoldenEvents.FOLDER.resolve("journals"), ".jsonl")) {
      List<EpisodeEvent> events = new ArrayList<>();
      for (String line : Files.readAllLines(file)) {
        JsonNode node = DurableFormat.json().readTree(line);
        byte[] bytes = Base64.getDecoder().decode(node.get("cbor").asText());
        events.add((EpisodeEvent) serializer.fromBinary(bytes, node.get("name").asText()));
      }
      EpisodeState state = EpisodeFold.of(events);
      assertEquals(events.size(), state.events());
      assertEquals(EpisodeStatus.COMPLETED, state.status());
      assertEquals(1, state.evidence().size());
      assertEquals(1, state.verdicts().size());
      assertEquals(876, state.usage().tokens());
      assertEquals(1, state.usage().repeatedCalls());
    }
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      List<Path> files = all.filter(f -> f.toString().endsWith(ending)).sorted().toList();
      assertTrue(!files.isEmpty(), "nothing in " + folder);
      return files;
    }
  }
}
