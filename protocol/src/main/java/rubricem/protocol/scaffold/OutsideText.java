package rubricem.protocol.scaffold;

import java.util.List;

public final class OutsideText {
  private OutsideText() {}

  public static String escape(String text) {
    throw new UnsupportedOperationException("not written yet");
  }

  public static String unescape(String text) {
    throw new UnsupportedOperationException("not written yet");
  }

  public static List<String> suspicions(String text) {
    throw new UnsupportedOperationException("not written yet");
  }
}
