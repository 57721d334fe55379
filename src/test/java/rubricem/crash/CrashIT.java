package rubricem.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * a node halts right before and right after every write of an episode; the next process goes
 * on unprompted, to the same report, with no finished call made again.
 */
class CrashIT {
  /** The start; turn and result of each call; the answer; its check. */
  private static final int WRITES = 1 + 2 * CrashNode.TOOL_CALLS + 2;

  private static final String UNDISTURBED = "e-none-0";

  @TempDir Path scratch;

  private record Point(int write, boolean before) {
    String episode() {
      return "e-" + side() + "-" + write;
    }

    String side() {
      return before ? "before" : "after";
    }
  }

  @Test
  void R16_an_episode_survives_a_halt_at_every_event_boundary() throws Exception {
    Jvm.Setting setting = Jvm.Setting.in(scratch);
    assertEquals(0, run(setting, Files.createDirectory(folder("none")), "-", UNDISTURBED));
    List<CompletableFuture<Void>> chains = new ArrayList<>();
    for (boolean before : List.of(true, false)) {
      chains.add(CompletableFuture.runAsync(() -> chain(setting, before)));
    }
    chains.forEach(CompletableFuture::join);
    for (int write = 1; write <= WRITES; write++) {
      check(new Point(write, true));
      check(new Point(write, false));
    }
  }

  /** Each process goes on with what the one before it left and dies one write further on. */
  private void chain(Jvm.Setting setting, boolean before) {
    try {
      String left = "-";
      Path folder = Files.createDirectory(folder(before ? "before" : "after"));
      for (int write = 1; write <= WRITES; write++) {
        Point point = new Point(write, before);
        assertEquals(
            HaltingJournal.HALTED,
            run(setting, folder, left, point.episode(), "" + write, point.side()),
            point.toString());
        left = point.episode();
      }
      assertEquals(0, run(setting, folder, left, "-"));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Path folder(String side) {
    return scratch.resolve(side);
  }

  private int run(Jvm.Setting setting, Path folder, String... args)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(folder.toString()));
    all.addAll(List.of(args));
    Jvm node =
        Jvm.start(setting, folder, CrashNode.class.getName(), all.toArray(String[]::new));
    int code = node.end();
    if (code != 0 && code != HaltingJournal.HALTED) {
      throw new AssertionError("a node ended with " + code + "\n" + node.err());
    }
    return code;
  }

  private void check(Point point) throws IOException {
    Path folder = folder(point.side());
    String end = Files.readString(folder.resolve(point.episode() + ".end"));
    String undisturbed = Files.readString(folder("none").resolve(UNDISTURBED + ".end"));
    assertEquals(text(undisturbed), text(end), point + " has another report");
    assertEquals(expectedRepeats(point), repeats(end), point + " repeated calls");
    Map<String, Integer> calls = new HashMap<>();
    Files.readAllLines(folder.resolve(point.episode() + ".calls"))
        .forEach(call -> calls.merge(call, 1, Integer::sum));
    assertEquals(CrashNode.TOOL_CALLS, calls.size(), point + " made other calls");
    // the result of the n-th tool call is write 1 + 2n: where it was lost the call is made twice
    boolean lostResult =
        point.before() && point.write() > 1 && point.write() <= 1 + 2 * CrashNode.TOOL_CALLS
            && point.write() % 2 == 1;
    int made = calls.values().stream().mapToInt(Integer::intValue).sum();
    assertEquals(CrashNode.TOOL_CALLS + (lostResult ? 1 : 0), made, point + " tool calls");
  }

  /** One call was in flight, unless nothing was stored yet or everything was. */
  private static int expectedRepeats(Point point) {
    boolean nothing = point.before() && point.write() == 1;
    boolean all = !point.before() && point.write() == WRITES;
    return nothing || all ? 0 : 1;
  }

  private static String text(String end) {
    return end.substring(end.indexOf('\n') + 1).replaceAll("e-[a-z]+-\\d+/", "");
  }

  private static int repeats(String end) {
    return Integer.parseInt(end.substring(0, end.indexOf('\n')));
  }
}
