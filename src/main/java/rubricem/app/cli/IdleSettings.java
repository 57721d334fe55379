package rubricem.app.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the learner that differ from their defaults and that a command does not look at, so
 * that it can say so. They are no mistake by themselves: one file may serve several commands. A
 * value that equals its default is never among them, wherever it was written.
 *
 * @param keys below {@code rubricem.learner}, sorted
 */
record IdleSettings(List<String> keys) {
  private static final String SECTION = "rubricem.learner";

  /** More would hide the sentence behind them. */
  private static final int NAMED_MAX = 8;

  IdleSettings {
    keys = List.copyOf(keys);
  }

  /**
   * Compares with the defaults.
   *
   * @param idle keys and sections below {@code rubricem.learner} that the command leaves alone
   */
  static IdleSettings in(Config config, List<String> idle) {
    Config usual = ConfigFactory.load().getConfig(SECTION);
    List<String> changed = new ArrayList<>();
    for (Map.Entry<String, ConfigValue> entry : config.getConfig(SECTION).entrySet()) {
      String key = entry.getKey();
      boolean unread = idle.stream().anyMatch(i -> key.equals(i) || key.startsWith(i + "."));
      if (unread && !(usual.hasPath(key) && usual.getValue(key).equals(entry.getValue()))) {
        changed.add(key);
      }
    }
    return new IdleSettings(changed.stream().sorted().toList());
  }

  /**
   * Keys of parts that were not chosen, in a configuration that is sound: those of another
   * objective or correction, and of an adapter where there is none.
   */
  static List<String> unchosen(Config config) {
    Config c = config.getConfig(SECTION);
    List<String> out = new ArrayList<>();
    unless(out, c, "loss.aggregation", "CONSTANT_DIVISOR", "loss.divisor");
    unless(out, c, "objective.kind", "CLIPPED", "objective.clipped");
    unless(out, c, "objective.kind", "GSPO", "objective.gspo");
    unless(out, c, "objective.kind", "CISPO", "objective.cispo");
    String kind = "sampler-correction.kind";
    unless(out, c, kind, "TOKEN_TRUNCATED", "sampler-correction.token-cap");
    unless(out, c, kind, "SEQUENCE_TRUNCATED", "sampler-correction.sequence-cap");
    unless(out, c, kind, "MASKED", "sampler-correction.masked");
    unless(out, c, kind, "PROBABILITY_DIFFERENCE", "sampler-correction.probability-difference");
    unless(out, c, "off-policy-masking.kind", "ABOVE", "off-policy-masking.mean-log-ratio");
    if (c.getString("sequence-rejection.statistic").equals("NONE")) {
      out.addAll(List.of("sequence-rejection.low", "sequence-rejection.high"));
    }
    if (c.getInt("adapter.rank") == 0) {
      out.addAll(List.of("adapter.alpha", "adapter.targets"));
    }
    return out;
  }

  private static void unless(List<String> to, Config c, String key, String value, String idle) {
    if (!c.getString(key).equals(value)) {
      to.add(idle);
    }
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  /** As a configuration names them. */
  String names() {
    List<String> named =
        keys.stream().limit(NAMED_MAX).map(key -> SECTION + "." + key).toList();
    int more = keys.size() - named.size();
    return String.join(", ", named) + (more > 0 ? " and " + more + " more" : "");
  }

  /** What to tell the user; empty where there is nothing. */
  Optional<String> sentence() {
    return isEmpty()
        ? Optional.empty()
        : Optional.of("These settings have no effect here: " + names() + ".");
  }
}
