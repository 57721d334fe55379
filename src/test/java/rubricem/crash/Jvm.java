package rubricem.crash;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

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

  /**
   * How to start them: the class path as jars, which lets all but the first process map their
   * classes from an archive that the first one leaves at its exit.
   */
  record Setting(String classPath, Path archive) {
    static Setting in(Path scratch) throws IOException {
      List<String> path = new ArrayList<>();
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
        path.add(
            Files.isDirectory(Path.of(entry)) ? jar(scratch, Path.of(entry)).toString() : entry);
      }
      return new Setting(
          String.join(File.pathSeparator, path), scratch.resolve("classes.jsa"));
    }

    private static Path jar(Path scratch, Path folder) throws IOException {
      Path jar = Files.createTempFile(scratch, "classes", ".jar");
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
          Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          out.putNextEntry(new JarEntry(folder.relativize(file).toString().replace('\\', '/')));
          Files.copy(file, out);
          out.closeEntry();
        }
      }
      return jar;
    }

    private String flag() {
      return Files.exists(archive)
          ? "-XX:SharedArchiveFile=" + archive
          : "-XX:ArchiveClassesAtExit=" + archive;
    }
  }

  static Jvm start(Setting setting, Path scratch, String main, String... args)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java", "-Xmx300m",
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xlog:disable",
                "-XX:+IgnoreUnrecognizedVMOptions", "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED", setting.flag(), "-cp",
                setting.classPath(), main));
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

  /** As Ctrl-C in a terminal does it, as an operator does, or as nobody should. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
  }

  void closeInput() throws IOException {
    process.getOutputStream().close();
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
