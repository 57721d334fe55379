package rubricem.gpu.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointFolderTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path temp;
  private Path root;
  private CheckpointFolder folder;

  @BeforeEach
  void begin() {
    root = temp.resolve("checkpoints");
    folder = with(new CheckpointSettings(100, 0));
  }

  private CheckpointFolder with(CheckpointSettings settings) {
    return new CheckpointFolder(root, settings, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private static CheckpointState state(long step) {
    return CheckpointState.of(
        step, step + 1, WeightsKind.FULL, Map.of("bank", 41L, "buffers", 0L),
        Map.of("sampler", "1,2,3"));
  }

  private static void contents(Path into) throws IOException {
    Files.writeString(into.resolve("config.json"), "{}");
    Files.writeString(into.resolve("model.safetensors"), "weights");
    Files.createDirectory(into.resolve("optimiser"));
    Files.writeString(into.resolve(CheckpointState.OPTIMISER), "moments");
  }

  private Checkpoint write(long step) throws IOException {
    return folder.write(state(step), CheckpointFolderTest::contents);
  }

  @Test
  void what_is_written_is_read_with_everything_the_manifest_names() throws IOException {
    assertEquals(new LatestCheckpoint(Optional.empty(), List.of()), folder.latest());
    Checkpoint written = write(10);
    assertEquals(root.resolve("step-000010"), written.folder());
    Checkpoint read = folder.latest().found().orElseThrow();
    assertEquals(written, read);
    assertEquals(NOW, read.manifest().created());
    assertEquals(state(10), read.state());
    assertEquals(root.resolve("step-000010"), read.weights());
    assertEquals(
        List.of("config.json", "model.safetensors", "optimiser/state.safetensors"),
        read.manifest().files().stream().map(CheckpointFile::path).toList());
    assertEquals(Sha256.of("moments".getBytes(StandardCharsets.UTF_8)),
        read.manifest().files().getLast().sha256());
    assertEquals(read, folder.at(10));
    assertEquals(List.of("step-000010"), names());
  }

  @Test
  void the_newest_that_is_sound_is_taken_and_the_others_are_named() throws IOException {
    for (long step : new long[] {999_999, 5, 1_000_000, 20}) {
      write(step);
    }
    Files.delete(root.resolve("step-1000000/manifest.json"));
    Files.writeString(root.resolve("step-999999/model.safetensors"), "Weights");
    LatestCheckpoint latest = folder.latest();
    assertEquals(20, latest.found().orElseThrow().state().step());
    assertEquals(
        List.of(
            new BrokenCheckpoint(
                root.resolve("step-1000000"), "it has no manifest, so it was never completed"),
            new BrokenCheckpoint(
                root.resolve("step-999999"), "model.safetensors differs from its checksum")),
        latest.skipped());
    assertEquals(List.of(1_000_000L, 999_999L, 20L, 5L), folder.steps());
  }

  @Test
  void any_byte_of_any_file_that_differs_is_noticed() throws IOException {
    Path checkpoint = write(10).folder();
    List<Path> files;
    try (Stream<Path> paths = Files.walk(checkpoint)) {
      files = paths.filter(Files::isRegularFile).toList();
    }
    assertEquals(4, files.size());
    for (Path file : files) {
      byte[] whole = Files.readAllBytes(file);
      for (int i = 0; i < whole.length; i++) {
        byte[] changed = whole.clone();
        changed[i] ^= 1;
        Files.write(file, changed);
        // a blank between the manifest's fields says nothing
        boolean blank = file.endsWith("manifest.json") && Character.isWhitespace(whole[i]);
        if (!(folder.at(10) instanceof BrokenCheckpoint) && !blank) {
          throw new AssertionError(file + " at " + i + " was changed and taken");
        }
        Files.write(file, Arrays.copyOf(whole, i));
        if (!blank || i < whole.length - 1) {
          assertInstanceOf(BrokenCheckpoint.class, folder.at(10), file + " cut at " + i);
        }
      }
      Files.delete(file);
      assertInstanceOf(BrokenCheckpoint.class, folder.at(10), file.toString());
      Files.write(file, whole);
    }
    assertInstanceOf(Checkpoint.class, folder.at(10));
  }

  @Test
  void what_is_not_of_the_checkpoint_makes_it_unusable_and_is_named() throws IOException {
    Path checkpoint = write(10).folder();
    Files.writeString(checkpoint.resolve(".hidden"), "no matter");
    assertInstanceOf(Checkpoint.class, folder.at(10));
    Path index = checkpoint.resolve("model.safetensors.index.json");
    Files.writeString(index, "{}");
    assertTrue(reason(10).startsWith("model.safetensors.index.json is not part"), reason(10));
    Files.delete(index);
    Files.move(checkpoint.resolve("config.json"), temp.resolve("config.json"));
    Files.createSymbolicLink(checkpoint.resolve("config.json"), temp.resolve("config.json"));
    assertEquals("config.json is missing", reason(10));
    Files.move(checkpoint, root.resolve("step-000011"));
    assertEquals("its manifest is that of step-000010", reason(11));
    assertEquals("there is no such folder", reason(12));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "format" : 1,            | "format" : 2,             | newer program
          "format" : 1,            | "format" : 0,             | format
          "format" : 1,            |                           | format
          "bank" : 41              | "bank" : 42               | checksum
          "step" : 10,             | "step" : 10, "step" : 10, | JSON
          "sampler" : "1,2,3"      | "sampler" : "1,2,4"       | checksum
          "path" : "config.json"   | "path" : "../config.json" | checksum
          "checksum"               | "check"                   | checksum
          {                        | [                         | JSON
          """)
  void a_manifest_that_was_changed_is_not_believed(String from, String to, String reason)
      throws IOException {
    Path file = write(10).folder().resolve("manifest.json");
    String text = Files.readString(file);
    assertTrue(text.contains(from), text);
    Files.writeString(file, text.replace(from, to == null ? "" : to));
    assertTrue(reason(10).contains(reason), reason(10));
  }

  private String reason(long step) {
    return assertInstanceOf(BrokenCheckpoint.class, folder.at(step)).reason();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 50", "2, 0, 40 50", "1, 20, 20 40 50", "2, 30, 30 40 50", "9, 0, 10 20 30 40 50"
  })
  void the_last_and_every_so_many_stay(int last, int every, String kept) throws IOException {
    folder = with(new CheckpointSettings(last, every));
    for (long step = 10; step <= 50; step += 10) {
      write(step);
    }
    List<String> stay =
        Stream.of(kept.split(" ")).map(s -> CheckpointFolder.name(Long.parseLong(s))).toList();
    assertEquals(stay, names());
  }

  @Test
  void one_without_a_manifest_pushes_no_other_out() throws IOException {
    folder = with(new CheckpointSettings(2, 0));
    write(10);
    write(20);
    Files.delete(root.resolve("step-000020/manifest.json"));
    write(30);
    assertEquals(List.of("step-000010", "step-000020", "step-000030"), names());
    write(40);
    assertEquals(List.of("step-000030", "step-000040"), names());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 1_001})
  void keeping_none_or_too_many_is_refused(int last) {
    assertThrows(IllegalArgumentException.class, () -> new CheckpointSettings(last, 0));
  }

  @Test
  void a_sound_one_is_not_overwritten_and_a_broken_one_is() throws IOException {
    Path checkpoint = write(10).folder();
    assertTrue(assertThrows(IOException.class, () -> write(10)).getMessage().contains("discard"));
    assertInstanceOf(Checkpoint.class, folder.at(10));
    Files.delete(checkpoint.resolve("config.json"));
    write(10);
    assertInstanceOf(Checkpoint.class, folder.at(10));
    folder.discard(10);
    assertEquals(List.of(), names());
  }

  @Test
  void a_failed_write_leaves_nothing_and_the_older_one() throws IOException {
    write(10);
    assertThrows(
        IOException.class,
        () ->
            folder.write(
                state(20),
                into -> {
                  contents(into);
                  throw new IOException("the disk is full");
                }));
    assertThrows(
        IllegalArgumentException.class,
        () -> folder.write(state(20), into -> Files.writeString(into.resolve("config.json"), "")));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            folder.write(
                state(20),
                into -> {
                  contents(into);
                  Files.writeString(into.resolve("manifest.json"), "{}");
                }));
    assertThrows(
        IOException.class,
        () ->
            folder.write(
                state(20),
                into -> {
                  contents(into);
                  Files.createSymbolicLink(into.resolve("base"), temp);
                }));
    assertEquals(List.of("step-000010"), names());
  }

  @Test
  void leftovers_of_dead_writers_are_swept_and_nothing_else() throws IOException {
    write(10);
    Files.createDirectories(root.resolve(".step-000020.partial/optimiser"));
    Files.writeString(root.resolve(".step-000020.partial/optimiser/x"), "half");
    Files.createDirectories(root.resolve(".step-000005.discarded"));
    Files.createDirectories(root.resolve("notes"));
    assertEquals(List.of(10L), folder.steps());
    assertEquals(2, folder.sweep().size());
    assertEquals(List.of("notes", "step-000010"), names());
  }

  @Test
  void an_adapter_in_a_folder_of_its_own_is_found_there() throws IOException {
    CheckpointState state =
        new CheckpointState(
            3, 3, WeightsKind.ADAPTER, "adapter", Optional.empty(), new TreeMap<>(),
            new TreeMap<>(), Optional.of("0123abcd"),
            new TreeMap<>(Map.of("batch", "3", "rate", "1.0E-4")));
    folder.write(
        state,
        into -> {
          Files.createDirectory(into.resolve("adapter"));
          Files.writeString(into.resolve("adapter/adapter_config.json"), "{}");
        });
    Checkpoint read = folder.latest().found().orElseThrow();
    assertEquals(root.resolve("step-000003/adapter"), read.weights());
    assertEquals(Optional.empty(), read.optimiser());
    assertEquals(state, read.state());
  }

  private List<String> names() throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }
}
