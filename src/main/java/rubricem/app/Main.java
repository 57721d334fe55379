package rubricem.app;

import rubricem.app.cli.Rubricem;

/** The program. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    // the embedded journal lets other processes of this machine read it, and nobody else
    System.setProperty("h2.bindAddress", "127.0.0.1");
    System.exit(Rubricem.run(args));
  }
}
