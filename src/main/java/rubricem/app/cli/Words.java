package rubricem.app.cli;

/** Small grammar of what the program says. */
final class Words {
  private Words() {}

  /** For example "1 document" and "2 documents". */
  static String count(long n, String noun) {
    return n + " " + noun + (n == 1 ? "" : "s");
  }
}
