package rubricem.gpu.verify;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One quantity of one handed case, compared. A deviation that is no number means that nothing could
 * be compared; then {@code details} has the {@code problem}, and the check is not ok.
 *
 * @param name file and case, such as {@code ssgrpo/token_mean}
 * @param deviation in the unit of the tolerance: absolute, relative, or a count of differences
 * @param details what else helps to read the line: precision, readings, the worst parameter
 */
public record Check(
    String name, String quantity, double deviation, double tolerance,
    Map<String, String> details) {

  public Check {
    details = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(details));
  }

  static Check of(String name, String quantity, double deviation, double tolerance) {
    return new Check(name, quantity, deviation, tolerance, Map.of());
  }

  /** Of texts and ids: how many of them differ, none of which may. */
  static Check equal(String name, String quantity, boolean same) {
    return of(name, quantity, same ? 0 : 1, 0);
  }

  static Check failed(String name, String quantity, String problem) {
    return of(name, quantity, Double.NaN, 0).with("problem", problem);
  }

  Check with(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(details);
    more.put(key, value);
    return new Check(name, quantity, deviation, tolerance, more);
  }

  /** A deviation that is no number is never within a tolerance. */
  public boolean ok() {
    return deviation <= tolerance;
  }
}
