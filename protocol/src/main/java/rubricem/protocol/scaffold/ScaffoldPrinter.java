package rubricem.protocol.scaffold;

public final class ScaffoldPrinter {
  private ScaffoldPrinter() {}

  public static String print(Turn turn) {
    throw new UnsupportedOperationException("not written yet");
  }
}
