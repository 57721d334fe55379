package rubricem.app.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A command that ran within this process: its code, and what the user was told in the end. */
record Told(int code, String err) {

  static Told by(String... args) {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      int code = Rubricem.run(args);
      return new Told(code, said.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(before);
    }
  }
}
