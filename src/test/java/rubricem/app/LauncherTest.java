package rubricem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a checkout of its own, with stand-ins for the JDK and Maven that only say how
 * they were called. Nothing of this machine but a shell and its small tools is on the path.
 */
class LauncherTest {
  private static final List<String> TOOLS =
      List.of(
          "bash", "dirname", "readlink", "sed", "head", "find", "mkdir", "cat", "touch", "rm",
          "env", "grep");

  @TempDir Path scratch;
  private Path home;
  private Path tools;
  private final Map<String, String> environment = new TreeMap<>();

  private record Ended(int code, String out, String err) {}

  @BeforeEach
  void checkout() throws IOException {
    home = Files.createDirectories(scratch.resolve("a check out"));
    Files.copy(Path.of("rubricem"), home.resolve("rubricem"));
    executable(home.resolve("rubricem"));
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    Files.createDirectories(home.resolve("src/main/java"));
    Files.writeString(home.resolve("src/main/java/A.java"), "class A {}");
    tools = Files.createDirectories(scratch.resolve("tools"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(tools.resolve(tool), found(tool));
    }
    environment.put("PATH", tools.toString());
    environment.put("HOME", scratch.resolve("nobody").toString());
    environment.put("RUBRICEM_JDK_FOLDERS", scratch.resolve("jdks").toString());
  }

  private static Path found(String tool) {
    for (String folder : System.getenv("PATH").split(":")) {
      if (Files.isExecutable(Path.of(folder, tool))) {
        return Path.of(folder, tool);
      }
    }
    throw new AssertionError("this test needs " + tool + " on the path");
  }

  private static void executable(Path file) {
    assertTrue(file.toFile().setExecutable(true), file.toString());
  }

  /** A JDK whose java says which it is and how it was called. */
  private Path jdk(Path folder, String version) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    for (String name : List.of("java", "javac")) {
      Files.writeString(
          bin.resolve(name),
          "#!/bin/sh\necho \"" + folder.getFileName()
              + " OMP=${OMP_NUM_THREADS:-} MALLOC=${MALLOC_ARENA_MAX:-}/${MALLOC_MMAP_MAX_:-}"
              + " LC_ALL=${LC_ALL:-} $*\"\n");
      executable(bin.resolve(name));
    }
    return folder;
  }

  /** A Maven that notes each build and leaves what the real one leaves. */
  private void maven(int exitCode) throws IOException {
    Path mvn = tools.resolve("mvn");
    Files.writeString(
        mvn,
        "#!/usr/bin/env bash\necho \"with $JAVA_HOME: $*\" >> '" + log() + "'\n"
            + "echo 'said by maven'\nmkdir -p '" + home.resolve("target/lib") + "'\n"
            + "touch '" + home.resolve("target/rubricem.jar") + "'\nexit " + exitCode + "\n");
    executable(mvn);
  }

  private Path log() {
    return scratch.resolve("builds.txt");
  }

  private long builds() throws IOException {
    return Files.exists(log()) ? Files.readString(log()).lines().count() : 0;
  }

  private Ended launch(Path launcher, Path directory, String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(args));
    Path out = Files.createTempFile(scratch, "out", ".txt");
    Path err = Files.createTempFile(scratch, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile())
            .redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the launcher hangs");
    return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private Ended launch(String... args) throws Exception {
    return launch(home.resolve("rubricem"), scratch, args);
  }

  @Test
  void without_a_jdk_it_says_what_to_install() throws Exception {
    maven(0);
    jdk(scratch.resolve("jdks/old"), "17.0.9");
    jdk(scratch.resolve("jdks/ancient"), "1.8.0_392");
    environment.put("JAVA_HOME", scratch.resolve("gone").toString());
    Ended ended = launch("ask", "q");
    assertEquals(2, ended.code());
    assertEquals("", ended.out());
    assertEquals(1, ended.err().lines().count(), ended.err());
    assertTrue(ended.err().contains("a JDK of version 21 or newer"), ended.err());
    assertTrue(ended.err().contains("JAVA_HOME"), ended.err());
    environment.put("RUBRICEM_JDK_FOLDERS", "");
    environment.remove("JAVA_HOME");
    assertEquals(ended.err(), launch("ask", "q").err());
  }

  @Test
  void without_maven_it_says_what_to_install() throws Exception {
    jdk(scratch.resolve("jdks/new"), "21.0.1");
    for (String command : List.of("ask", "test")) {
      Ended ended = launch(command);
      assertEquals(2, ended.code(), ended.err());
      assertTrue(ended.err().contains("Install Maven 3.8 or newer"), ended.err());
      assertFalse(ended.err().contains("command not found"), ended.err());
    }
  }

  @Test
  void a_jdk_is_found_by_JAVA_HOME_then_the_path_then_the_usual_folders() throws Exception {
    maven(0);
    jdk(scratch.resolve("jdks/usual"), "23");
    assertTrue(launch().out().startsWith("usual "));
    Path onPath = jdk(scratch.resolve("on path"), "22.0.2");
    environment.put("PATH", tools + ":" + onPath.resolve("bin"));
    assertTrue(launch().out().startsWith("on path "));
    environment.put("JAVA_HOME", jdk(scratch.resolve("named"), "25-ea").toString());
    assertTrue(launch().out().startsWith("named "));
    // one that is too old does not hide a fitting one
    environment.put("JAVA_HOME", jdk(scratch.resolve("old"), "11.0.2").toString());
    assertTrue(launch().out().startsWith("on path "));
  }

  @Test
  void it_builds_once_and_again_only_when_sources_are_newer() throws Exception {
    maven(0);
    Path jdk = jdk(scratch.resolve("jdks/new"), "21");
    Ended first = launch("ask", "two words", "--json");
    assertEquals(0, first.code(), first.err());
    assertTrue(first.err().contains("Building RubricEM"), first.err());
    assertTrue(first.out().endsWith("rubricem.app.Main ask two words --json\n"), first.out());
    assertTrue(Files.readString(log()).startsWith("with " + jdk + ": "), "Maven gets our JDK");
    Ended second = launch("ask");
    assertEquals("", second.err());
    assertEquals(1, builds());
    touch("src/main/java/A.java");
    launch("ask");
    assertEquals(2, builds());
    Files.createDirectories(home.resolve("protocol/src/main/java"));
    Files.writeString(home.resolve("protocol/src/main/java/B.java"), "class B {}");
    touch("protocol/src/main/java/B.java");
    launch("ask");
    assertEquals(3, builds());
    touch("pom.xml");
    launch("ask");
    assertEquals(4, builds());
    Files.createDirectories(home.resolve("src/test/java"));
    Files.writeString(home.resolve("src/test/java/T.java"), "class T {}");
    FileTime later = FileTime.fromMillis(System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1));
    Files.setLastModifiedTime(home.resolve("src/test/java/T.java"), later);
    launch("ask");
    assertEquals(4, builds(), "tests are no part of the program");
  }

  /** Newer than the last build, which must not lie in the future for the next look. */
  private void touch(String file) throws IOException {
    FileTime built = Files.getLastModifiedTime(home.resolve("target/.built"));
    Path stamp = home.resolve("target/.built");
    Files.setLastModifiedTime(
        stamp, FileTime.fromMillis(built.toMillis() - TimeUnit.HOURS.toMillis(1)));
    Files.setLastModifiedTime(home.resolve(file), built);
  }

  @Test
  void a_build_that_fails_shows_what_maven_said_and_is_tried_again() throws Exception {
    maven(1);
    jdk(scratch.resolve("jdks/new"), "21");
    Ended ended = launch("ask");
    assertEquals(2, ended.code());
    assertTrue(ended.err().contains("said by maven"), ended.err());
    assertTrue(ended.err().contains("The build failed"), ended.err());
    maven(0);
    assertEquals(0, launch("ask").code());
    assertEquals(2, builds());
  }

  @Test
  void whoever_computes_with_a_model_keeps_its_memory_where_glibc_is() throws Exception {
    maven(0);
    jdk(scratch.resolve("jdks/new"), "21");
    List<String[]> learning =
        List.of(
            new String[] {"sft", "--data", "x"}, new String[] {"train"},
            new String[] {"bench", "learner"}, new String[] {"ask", "q", "--policy", "local:/m"},
            new String[] {"serve", "--policy=local:/m"});
    for (String[] command : learning) {
      assertTrue(launch(command).out().contains(" OMP=1 MALLOC=2/ "), "no glibc: as always");
    }
    Path getconf = tools.resolve("getconf");
    Files.writeString(getconf, "#!/bin/sh\necho glibc 2.36\n");
    executable(getconf);
    for (String[] command : learning) {
      String out = launch(command).out();
      assertTrue(out.contains(" OMP=1 MALLOC=1/0 "), out);
    }
    Path config = scratch.resolve("my settings.conf");
    Files.writeString(config, "rubricem.server.policies = [\"local:/m\"]\n");
    for (String[] command :
        List.of(
            new String[] {"ask", "q", "--policy", "local:/m"},
            new String[] {"generate", "--model", "/m"}, new String[] {"export-script", "x"},
            new String[] {"serve", "--config", config.toString()},
            new String[] {"serve", "--config=" + config})) {
      String out = launch(command).out();
      assertTrue(out.contains(" OMP=1 MALLOC=1/0 "), out);
      assertTrue(out.contains(" -Xmx3g "), "weights pass through the heap: " + out);
      assertFalse(out.contains("TieredStopAtLevel"), out);
    }
    for (String[] command :
        List.of(new String[] {"ask", "--resume", "e-1"}, new String[] {"ask", "--resume=e-1"})) {
      String out = launch(command).out();
      assertTrue(out.contains(" OMP=1 MALLOC=1/0 "), out);
      assertTrue(out.contains(" -Xmx3g "), "its policy may be a model: " + out);
    }
    assertTrue(launch("sft", "--resume").out().contains(" OMP=1 MALLOC=1/0 "));
    Files.writeString(config, "# \0 \u00e4\nrubricem.server.policies = [\"local:/m\"]\n");
    Ended binary = launch("serve", "--config", config.toString());
    assertTrue(binary.out().contains(" OMP=1 MALLOC=1/0 "), binary.out());
    assertEquals("", binary.err(), "what a file holds that is no text is for the program to say");
    Files.writeString(config, "rubricem.server.policies = [\"extractive\"]\n");
    assertTrue(
        launch("serve", "--config", config.toString()).out().contains(" OMP= MALLOC=2/ "));
    assertTrue(launch("ask", "q", "--config", "gone.conf").out().contains(" -Xmx1g "));
    assertTrue(launch("bench", "episodes").out().contains(" OMP= MALLOC=2/ "));
    assertTrue(launch("ask", "local news").out().contains(" OMP= MALLOC=2/ "));
    environment.put("MALLOC_ARENA_MAX", "7");
    environment.put("OMP_NUM_THREADS", "3");
    assertTrue(launch("sft").out().contains(" OMP=3 MALLOC=7/0 "), "what a user set stays");
  }

  @Test
  void it_works_through_a_link_and_from_elsewhere() throws Exception {
    maven(0);
    jdk(scratch.resolve("jdks/new"), "21");
    Path link = scratch.resolve("some where/rubricem");
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, home.resolve("rubricem"));
    Path second = link.resolveSibling("again");
    Files.createSymbolicLink(second, Path.of("rubricem"));
    Ended ended = launch(second, link.getParent(), "episodes");
    assertEquals(0, ended.code(), ended.err());
    assertTrue(ended.out().contains(home.resolve("target/rubricem.jar").toString()), ended.out());
  }

  @Test
  void a_heap_that_is_no_size_is_refused_by_its_name() throws Exception {
    maven(0);
    jdk(scratch.resolve("jdks/new"), "21");
    for (String wrong : List.of("abc", "3gb", "-1g", "3 g", "g", "8m", "0g")) {
      environment.put("RUBRICEM_HEAP", wrong);
      Ended ended = launch("episodes");
      assertEquals(2, ended.code(), wrong);
      assertEquals(
          "RUBRICEM_HEAP is \"" + wrong + "\": a size for Java's heap is wanted, 64m or more, such as 3g.\n",
          ended.err());
    }
    for (String right : List.of("64m", "3G", "700000k", "1073741824")) {
      environment.put("RUBRICEM_HEAP", right);
      assertTrue(launch("episodes").out().contains("-Xmx" + right + " "), right);
    }
  }

  @Test
  void a_locale_without_utf8_is_replaced_and_one_with_it_kept() throws Exception {
    maven(0);
    jdk(scratch.resolve("jdks/new"), "21");
    for (String plain : List.of("", "C", "POSIX", "de_DE.ISO-8859-1")) {
      environment.put("LC_ALL", plain);
      assertTrue(launch().out().contains("LC_ALL=C.UTF-8 "), plain);
    }
    environment.remove("LC_ALL");
    environment.put("LANG", "de_DE.UTF-8");
    assertTrue(launch().out().contains("LC_ALL= "));
  }
}
