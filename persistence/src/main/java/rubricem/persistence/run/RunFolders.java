package rubricem.persistence.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import rubricem.protocol.run.RunLayout;
import rubricem.protocol.run.RunName;
import rubricem.protocol.run.TrainingRuns;

/**
 * The runs as folders: {@code RUN/config.conf}, {@code RUN/metrics.jsonl} and {@code
 * RUN/checkpoints/step-NNNNNN/manifest.json}. It reads what the trainer writes, also while it does,
 * and changes nothing. A checkpoint is one once its manifest is there and names its step; whether
 * its files are whole is for whoever loads it to check.
 */
public final class RunFolders implements TrainingRuns {
  /** More than anybody looks through; a folder with more is no folder of runs. */
  private static final int RUNS_MAX = 10_000;

  private static final int CHECKPOINTS_MAX = 1_000;

  /** It names files, sums and numbers: a few kB. */
  private static final int MANIFEST_BYTES_MAX = 1 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Comparator<Place> NEWEST_FIRST =
      Comparator.comparing(Place::createdAt).reversed().thenComparing(p -> p.name().value());

  private final Path folder;
  private final Executor executor;

  /** @param executor for reading, which takes time */
  public RunFolders(Path folder, Executor executor) {
    this.folder = folder;
    this.executor = executor;
  }

  @FunctionalInterface
  private interface Reading<T> {
    T read() throws IOException;
  }

  private <T> CompletionStage<T> reading(Reading<T> reading) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return reading.read();
          } catch (IOException e) {
            throw new UncheckedIOException("the runs in " + folder + " cannot be read", e);
          }
        },
        executor);
  }

  @Override
  public CompletionStage<Page> page(Query query) {
    return reading(
        () -> {
          List<Place> all = new ArrayList<>();
          for (String name : names(folder, RUNS_MAX)) {
            Optional<RunName> run = RunName.parse(name);
            if (run.isPresent()) {
              created(run.get()).ifPresent(at -> all.add(new Place(at, run.get())));
            }
          }
          List<Place> behind =
              all.stream()
                  .filter(p -> query.before().filter(b -> NEWEST_FIRST.compare(p, b) <= 0).isEmpty())
                  .sorted(NEWEST_FIRST).limit(query.limit() + 1L).toList();
          List<Place> shown = behind.subList(0, Math.min(query.limit(), behind.size()));
          List<Row> rows = new ArrayList<>();
          for (Place place : shown) {
            rows.add(row(place, checkpoints(path(place.name()))));
          }
          return new Page(
              List.copyOf(rows),
              behind.size() > shown.size() ? Optional.of(shown.getLast()) : Optional.empty());
        });
  }

  @Override
  public CompletionStage<Optional<Run>> run(RunName name, Steps steps) {
    return reading(
        () -> {
          Optional<Instant> created = created(name);
          if (created.isEmpty()) {
            return Optional.empty();
          }
          Path run = path(name);
          List<Checkpoint> checkpoints = checkpoints(run);
          MetricsFile.Page metrics = metrics(run).page(steps);
          return Optional.of(
              new Run(
                  row(new Place(created.get(), name), checkpoints),
                  ConfigText.of(run.resolve(RunLayout.CONFIG)), metrics.rows(), metrics.next(),
                  metrics.unreadable(), checkpoints));
        });
  }

  private Path path(RunName name) {
    return folder.resolve(name.value());
  }

  private static MetricsFile metrics(Path run) {
    return new MetricsFile(run.resolve(RunLayout.METRICS));
  }

  /** Not all file systems know when a folder was made; its configuration is written first. */
  private Optional<Instant> created(RunName name) throws IOException {
    Optional<Instant> made =
        PlainFiles.folder(path(name)).map(a -> a.creationTime().toInstant());
    if (made.isEmpty()) {
      return made;
    }
    Optional<Instant> configured =
        PlainFiles.file(path(name).resolve(RunLayout.CONFIG))
            .map(a -> a.lastModifiedTime().toInstant());
    Instant earlier = configured.filter(c -> c.isBefore(made.get())).orElse(made.get());
    // a cursor carries milliseconds
    return Optional.of(earlier.truncatedTo(ChronoUnit.MILLIS));
  }

  private Row row(Place place, List<Checkpoint> checkpoints) throws IOException {
    Path run = path(place.name());
    Optional<Map<String, Object>> last = metrics(run).last();
    Instant updated = place.createdAt();
    for (Optional<BasicFileAttributes> written :
        List.of(
            PlainFiles.folder(run), PlainFiles.file(run.resolve(RunLayout.METRICS)),
            PlainFiles.folder(run.resolve(RunLayout.CHECKPOINTS)))) {
      Instant at = written.map(a -> a.lastModifiedTime().toInstant()).orElse(updated);
      updated = at.isAfter(updated) ? at : updated;
    }
    return new Row(
        place.name(), last.map(MetricsFile::step), last, checkpoints.size(), place.createdAt(),
        updated.truncatedTo(ChronoUnit.MILLIS));
  }

  /** Newest first. */
  private static List<Checkpoint> checkpoints(Path run) throws IOException {
    Path all = run.resolve(RunLayout.CHECKPOINTS);
    List<String> names =
        PlainFiles.folder(all).isEmpty()
            ? List.of()
            : names(all, RUNS_MAX).stream().filter(n -> RunLayout.step(n).isPresent())
                .sorted(Comparator.comparingLong(RunFolders::step).reversed())
                .limit(CHECKPOINTS_MAX).toList();
    List<Checkpoint> found = new ArrayList<>();
    for (String name : names) {
      if (PlainFiles.folder(all.resolve(name)).isPresent()) {
        checkpoint(all.resolve(name).resolve(RunLayout.MANIFEST), step(name)).ifPresent(found::add);
      }
    }
    return List.copyOf(found);
  }

  private static long step(String name) {
    return RunLayout.step(name).orElse(-1);
  }

  private static Optional<Checkpoint> checkpoint(Path manifest, long step) throws IOException {
    Optional<byte[]> bytes = PlainFiles.bytes(manifest, MANIFEST_BYTES_MAX);
    Optional<Instant> at =
        PlainFiles.file(manifest).map(a -> a.lastModifiedTime().toInstant());
    if (bytes.isEmpty() || at.isEmpty()) {
      return Optional.empty();
    }
    JsonNode json;
    try {
      json = JSON.readTree(bytes.get());
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      return Optional.empty();
    }
    JsonNode version = json.path("policy_version");
    return json.path("step").isIntegralNumber() && json.path("step").longValue() == step
        ? Optional.of(
            new Checkpoint(
                step, version.isValueNode() ? Optional.of(version.asText()) : Optional.empty(),
                at.get().truncatedTo(ChronoUnit.MILLIS)))
        : Optional.empty();
  }

  /** What lies in a folder, however much that is; nothing where there is none. */
  private static List<String> names(Path folder, int max) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (names.size() == max) {
          break;
        }
        names.add(entry.getFileName().toString());
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    }
    return names;
  }
}
