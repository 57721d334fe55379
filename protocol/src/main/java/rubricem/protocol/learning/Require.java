package rubricem.protocol.learning;

/** Refuses numbers that an option cannot have, by the key under which users set it. */
final class Require {
  private Require() {}

  static void positive(String key, double value) {
    that(value > 0 && Double.isFinite(value), key, value, "it must be above 0");
  }

  static void notNegative(String key, double value) {
    that(value >= 0 && Double.isFinite(value), key, value, "it must not be below 0");
  }

  static void within(String key, double value, double low, double high) {
    that(value >= low && value <= high, key, value, "it must lie in " + low + " to " + high);
  }

  static void that(boolean holds, String key, Object value, String reason) {
    if (!holds) {
      throw new IllegalArgumentException(key + " is " + value + ": " + reason);
    }
  }
}
