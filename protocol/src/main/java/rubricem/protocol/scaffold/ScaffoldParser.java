package rubricem.protocol.scaffold;

public final class ScaffoldParser {
  private ScaffoldParser() {}

  public static ParsedTurn parse(String generated, TurnContext context) {
    throw new UnsupportedOperationException("not written yet");
  }
}
