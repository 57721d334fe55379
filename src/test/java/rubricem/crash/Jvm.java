package rubricem.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process of this program, light to start; its output goes to files. */
final class Jvm {
  private static final long PATIENCE_SECONDS = 120;

  private final Process process;
  private final Path out;
  private final Path err;

  private Jvm(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static Jvm start(Path scratch, Class<?> main, String... args) throws IOException {
    return start(scratch, main.getName(), args);
  }

  static Jvm start(Path scratch, String main, String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java", "-Xmx300m",
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto",
                "-XX:+IgnoreUnrecognizedVMOptions", "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), main));
    command.addAll(List.of(args));
    Path out = Files.createTempFile(scratch, "out", ".txt");
    Path err = Files.createTempFile(scratch, "err", ".txt");
    Process process =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new Jvm(process, out, err);
  }

  int end() throws IOException, InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the process did not end:\n" + err() + out());
    }
    return process.exitValue();
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  String err() throws IOException {
    return Files.readString(err);
  }
}
