package rubricem.testkit;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The packaged program in a process of its own, as a user starts it: arguments, environment,
 * standard streams, signals. Its streams go to files, so that nothing it writes can block it. A
 * process that outlives its patience is killed and fails the test.
 */
public final class Program {
  private static final long PATIENCE_SECONDS = 120;
  private static final Path JAR = Path.of("target", "rubricem.jar").toAbsolutePath();

  private final Path scratch;
  private static final Pattern LISTENS = Pattern.compile("RubricEM listens at (http://\\S+)\n");

  private final Map<String, String> environment = new TreeMap<>();
  private Path directory;
  private List<String> collector = List.of("-XX:+UseSerialGC");

  private Program(Path scratch) {
    this.scratch = scratch;
    this.directory = scratch;
  }

  /** @param scratch a folder of the test's own, where the program starts */
  public static Program in(Path scratch) {
    if (!Files.exists(JAR)) {
      fail("The program is not packaged: " + JAR + " is missing. Run mvn verify.");
    }
    return new Program(scratch);
  }

  public Program with(String name, String value) {
    Program other = copy();
    other.environment.put(name, value);
    return other;
  }

  public Program from(Path currentDirectory) {
    Program other = copy();
    other.directory = currentDirectory;
    return other;
  }

  /** With another garbage collector, or one that works otherwise. */
  public Program collecting(String... flags) {
    Program other = copy();
    other.collector = List.of(flags);
    return other;
  }

  private Program copy() {
    Program other = in(scratch);
    other.environment.putAll(environment);
    other.directory = directory;
    other.collector = collector;
    return other;
  }

  public Ended run(String... args) throws IOException, InterruptedException {
    return fed(new byte[0], args);
  }

  /** Runs it with {@code input} on standard input. */
  public Ended fed(byte[] input, String... args) throws IOException, InterruptedException {
    Running running = start(args);
    try (OutputStream in = running.process.getOutputStream()) {
      in.write(input);
    } catch (IOException e) {
      // it ended without reading all of it, which is its right
    }
    return running.end();
  }

  /** Runs it with a standard output that is a pipe nobody reads any more. */
  public Ended unheard(String... args) throws IOException, InterruptedException {
    Running running = start(ProcessBuilder.Redirect.PIPE, args);
    running.process.getInputStream().close();
    return running.end();
  }

  public Running start(String... args) throws IOException {
    return start(null, args);
  }

  private Running start(ProcessBuilder.@Nullable Redirect output, String... args)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(collector);
    // the first process leaves an archive of its classes that all later ones start from
    Path archive = scratch.resolve("classes.jsa");
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1", "-Xmx400m", "-Xshare:auto",
            "-Xlog:disable", "-XX:+IgnoreUnrecognizedVMOptions",
            "--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED",
            (Files.exists(archive) ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=")
                + archive,
            "-cp", JAR + File.pathSeparator + JAR.resolveSibling("lib") + "/*",
            "rubricem.app.Main"));
    command.addAll(List.of(args));
    Path out = Files.createTempFile(scratch, "out", ".txt");
    Path err = Files.createTempFile(scratch, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile())
            .redirectOutput(output == null ? ProcessBuilder.Redirect.to(out.toFile()) : output)
            .redirectError(err.toFile());
    builder.environment().keySet()
        .removeIf(name -> name.startsWith("RUBRICEM_") || name.endsWith("_API_KEY"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new Running(process, out, err);
  }

  /** A process that is still going on. */
  public record Running(Process process, Path out, Path err) {
    /** Waits until it has said {@code text} on standard error. */
    public void awaitSaid(String text) throws IOException, InterruptedException {
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (!Files.readString(err).contains(text)) {
        if (!process.isAlive() || System.nanoTime() > until) {
          process.destroyForcibly();
          fail("it never said \"" + text + "\":\n" + Files.readString(err));
        }
        process.waitFor(50, TimeUnit.MILLISECONDS);
      }
    }

    /** Where a server listens, from the one line it prints. */
    public URI address() throws IOException, InterruptedException {
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (true) {
        Matcher found = LISTENS.matcher(Files.readString(out));
        if (found.find()) {
          return URI.create(found.group(1));
        }
        if (!process.isAlive() || System.nanoTime() > until) {
          process.destroyForcibly();
          fail("it never listened:\n" + Files.readString(err));
        }
        process.waitFor(20, TimeUnit.MILLISECONDS);
      }
    }

    /** What Ctrl-C in a terminal does. */
    public Ended interrupt() throws IOException, InterruptedException {
      new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor();
      return end();
    }

    public Ended kill() throws IOException, InterruptedException {
      process.destroyForcibly();
      return end();
    }

    public Ended end() throws IOException, InterruptedException {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        fail("it did not end:\n" + Files.readString(err));
      }
      return new Ended(process.exitValue(), Files.readAllBytes(out), Files.readAllBytes(err));
    }
  }

  /** What a process left behind. */
  public record Ended(int code, byte[] outBytes, byte[] errBytes) {
    public String out() {
      return utf8(outBytes);
    }

    public String err() {
      return utf8(errBytes);
    }

    private static String utf8(byte[] bytes) {
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      } catch (CharacterCodingException e) {
        return fail("not UTF-8: " + new String(bytes, StandardCharsets.ISO_8859_1));
      }
    }
  }
}
