package rubricem.app.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The two streams of a command: what it is for goes to {@code out}, what a person follows goes to
 * {@code err}. Both are UTF-8, whatever the locale. A line that is overwritten appears only on a
 * terminal, and nothing said to a person can steer one.
 */
public final class Console {
  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;
  private final boolean quiet;
  private boolean open;

  Console(PrintStream out, PrintStream err, boolean terminal, boolean quiet) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
    this.quiet = quiet;
  }

  static Console of(boolean quiet) {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    return new Console(out, err, "1".equals(System.getenv("RUBRICEM_STDERR_IS_TERMINAL")), quiet);
  }

  /** Fails where what was written did not arrive: a lost report must not look like success. */
  void out(String text) {
    out.print(text);
    out.flush();
    if (out.checkError()) {
      throw Failure.work(
          "Standard output could not be written. What was found is kept: ./rubricem episodes lists"
              + " it.");
    }
  }

  /** Progress: silent with {@code --quiet}. */
  synchronized void say(String line) {
    if (!quiet) {
      closeLine();
      err.println(TerminalText.lines(line));
    }
  }

  /** What must be read even with {@code --quiet}. */
  synchronized void warn(String line) {
    closeLine();
    err.println(TerminalText.lines(line));
  }

  /** A line that the next one overwrites; shown on a terminal only. */
  synchronized void flicker(String line) {
    if (!quiet && terminal) {
      err.print("\r\u001b[K" + TerminalText.lines(line));
      err.flush();
      open = true;
    }
  }

  private void closeLine() {
    if (open) {
      err.print("\r\u001b[K");
      open = false;
    }
  }

  boolean terminal() {
    return terminal;
  }
}
