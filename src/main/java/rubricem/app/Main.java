package rubricem.app;

import rubricem.app.cli.Rubricem;

/** The program. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(Rubricem.run(args));
  }
}
