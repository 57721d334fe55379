package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.protocol.learning.Aggregation;
import rubricem.protocol.learning.Credit;
import rubricem.protocol.learning.FixedChoice;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.Objective;
import rubricem.protocol.learning.OldPolicy;
import rubricem.protocol.learning.SamplerCorrection;

/** The section {@code rubricem.learner}: every option of the field has its key or its refusal. */
class LearnerConfigTest {
  private static final Config DEFAULTS = ConfigFactory.load();
  private static final String SECTION = "rubricem.learner.";

  /** The 35 rows of the table of options: the keys that answer each. */
  private static final Map<Integer, List<String>> ROWS = rows();

  /** Sections that say where and how long it learns, and not how; TrainingConfigTest has them. */
  private static final Set<String> MACHINERY =
      Set.of("device", "optimiser", "schedule", "checkpoints", "supervised");

  private static Map<Integer, List<String>> rows() {
    Map<Integer, List<String>> rows = new TreeMap<>();
    rows.put(1, List.of("loss.aggregation", "loss.divisor"));
    rows.put(2, List.of("fixed.denominator-scope"));
    rows.put(3, List.of("credit.scale", "credit.epsilon"));
    rows.put(4, List.of("credit.floor"));
    rows.put(5, List.of("credit.leave-one-out"));
    rows.put(6, List.of("objective.clipped.low", "objective.clipped.high"));
    rows.put(7, List.of("objective.kind", "objective.cispo.low", "objective.cispo.high"));
    rows.put(8, List.of("objective.gspo.low", "objective.gspo.high", "objective.gspo.unit"));
    rows.put(9, List.of("fixed.smooth-gate"));
    rows.put(10, List.of("kl.coefficient"));
    rows.put(11, List.of("kl.estimator", "kl.unbiased", "kl.log-ratio-max"));
    rows.put(
        12,
        List.of("sampler-correction.kind", "sampler-correction.token-cap",
            "sampler-correction.sequence-cap"));
    rows.put(13, List.of("sampler-correction.masked.low", "sampler-correction.masked.high"));
    rows.put(14, List.of("sampler-correction.probability-difference"));
    rows.put(
        15,
        List.of("sequence-rejection.statistic", "sequence-rejection.low",
            "sequence-rejection.high", "sequence-rejection.veto"));
    rows.put(16, List.of("fixed.rejected-tokens"));
    rows.put(17, List.of("old-policy.source"));
    rows.put(18, List.of("off-policy-masking.kind", "off-policy-masking.mean-log-ratio"));
    rows.put(19, List.of("staleness.bound", "staleness.max"));
    rows.put(20, List.of("credit.mode", "credit.weights"));
    rows.put(21, List.of("credit.unit"));
    rows.put(22, List.of("fixed.refill-flat-groups"));
    rows.put(23, List.of("selection.keep-flat-groups-for-kl"));
    rows.put(24, List.of("selection.mask-truncated", "fixed.overlong-penalty"));
    rows.put(25, List.of("sampling.temperature", "sampling.top-p", "sampling.top-k"));
    rows.put(26, List.of("fixed.log-prob-precision"));
    rows.put(27, List.of("old-policy.updates-per-batch"));
    rows.put(28, List.of("selection.entropy-share"));
    rows.put(29, List.of("fixed.degenerate-filter"));
    rows.put(30, List.of("fixed.prompt-pools"));
    rows.put(31, List.of("fixed.rubric-dropout"));
    rows.put(32, List.of("fixed.missing-reward"));
    rows.put(33, List.of("credit.survivors-min"));
    rows.put(34, List.of("adapter.rank", "adapter.alpha", "adapter.targets"));
    rows.put(35, List.of("adapter.spare-versions"));
    return rows;
  }

  private static LearnerOptions with(String key, Object value) {
    return LearnerConfig.options(changed(key, value));
  }

  private static Config changed(String key, Object value) {
    return ConfigFactory.parseString(SECTION + key + " = " + value).withFallback(DEFAULTS);
  }

  @Test
  void each_of_the_35_rows_has_its_key_or_its_refusal_and_no_key_is_left_over() {
    assertEquals(35, ROWS.size());
    Set<String> answered = new HashSet<>();
    ROWS.forEach(
        (row, keys) -> {
          for (String key : keys) {
            assertTrue(DEFAULTS.hasPath(SECTION + key), "row " + row + " has no key " + key);
            assertTrue(commented(key), "row " + row + ": nothing is said about " + key);
            if (key.startsWith("fixed.")) {
              String name = key.substring("fixed.".length());
              String why = FixedChoice.refusal(name, "SOMETHING_ELSE").orElse("");
              assertTrue(why.length() > 30, "row " + row + ": no reason for " + key);
            }
          }
          answered.addAll(keys);
        });
    Set<String> known = new HashSet<>();
    DEFAULTS.getConfig("rubricem.learner").entrySet().forEach(e -> known.add(e.getKey()));
    known.removeIf(key -> MACHINERY.contains(key.split("\\.")[0]));
    assertEquals(known, answered);
  }

  /** Its own comment, or that of the section it lies in. */
  private static boolean commented(String key) {
    for (String path = SECTION + key; path.length() > SECTION.length(); ) {
      if (!DEFAULTS.getValue(path).origin().comments().isEmpty()) {
        return true;
      }
      path = path.substring(0, path.lastIndexOf('.'));
    }
    return false;
  }

  @Test
  void the_defaults_are_the_papers() {
    assertEquals(LearnerOptions.paper(), LearnerConfig.options(DEFAULTS));
  }

  @ParameterizedTest
  @EnumSource
  void a_fixed_choice_is_refused_with_its_key_and_reason(FixedChoice choice) {
    assertEquals(choice.value(), DEFAULTS.getString(SECTION + "fixed." + choice.key()));
    var refused =
        assertThrows(
            ConfigException.class, () -> with("fixed." + choice.key(), "ANOTHER"));
    assertTrue(refused.getMessage().contains("fixed." + choice.key()), refused.getMessage());
    assertTrue(refused.getMessage().contains(choice.reason()), refused.getMessage());
  }

  @Test
  void every_named_choice_can_be_made_by_its_key_alone() {
    assertInstanceOf(
        Aggregation.SequenceMean.class, with("loss.aggregation", "SEQUENCE_MEAN").aggregation());
    assertEquals(
        new Aggregation.ConstantDivisor(18432),
        with("loss.aggregation", "CONSTANT_DIVISOR").aggregation());
    assertInstanceOf(Objective.Gspo.class, with("objective.kind", "GSPO").objective());
    assertInstanceOf(Objective.Cispo.class, with("objective.kind", "CISPO").objective());
    for (String kind :
        List.of("TOKEN_TRUNCATED", "SEQUENCE_TRUNCATED", "MASKED", "PROBABILITY_DIFFERENCE")) {
      SamplerCorrection correction = with("sampler-correction.kind", kind).correction();
      String name = correction.getClass().getSimpleName();
      assertEquals(kind.replace("_", "").toLowerCase(Locale.ROOT),
          name.toLowerCase(Locale.ROOT));
    }
    assertTrue(with("sequence-rejection.statistic", "GEOMETRIC").rejection().on());
    assertTrue(with("off-policy-masking.kind", "ABOVE").comparesWithSampler());
    assertEquals(Credit.Mode.TERMINAL, with("credit.mode", "TERMINAL").credit().mode());
    for (String estimator : List.of("K1", "K2", "K3")) {
      assertEquals(estimator, with("kl.estimator", estimator).kl().estimator().name());
    }
    for (OldPolicy.Source source : OldPolicy.Source.values()) {
      assertEquals(source, with("old-policy.source", source).old().source());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "[[1]]", "[[1,0,0,0],[0.1,1,0,0],[0,0,1,0],[0,0,0,1]]",
    "[[1,0,0,0],[0,0.5,0,0],[0,0,1,0],[0,0,0,1]]", "[[1,0,0,2],[0,1,0,0],[0,0,1,0],[0,0,0,1]]",
    "[1,2,3,4]", "none"
  })
  void weights_that_are_not_causal_are_refused(String weights) {
    assertThrows(ConfigException.class, () -> with("credit.weights", weights));
  }

  @ParameterizedTest
  @CsvSource({
    "loss.aggregation,TOKENS", "loss.divisor,0", "objective.kind,SAPO",
    "objective.gspo.low,-0.1", "kl.coefficient,-1", "sampling.temperature,0",
    "sampler-correction.token-cap,-1", "off-policy-masking.mean-log-ratio,-1",
    "credit.survivors-min,1", "credit.floor,0", "adapter.rank,9999", "staleness.max,-1"
  })
  void a_value_that_cannot_be_is_refused_whether_it_is_chosen_or_not(String key, String value) {
    assertThrows(ConfigException.class, () -> with(key, value));
  }

  @Test
  void the_presets_that_the_file_names_are_accepted() throws IOException {
    String file = Files.readString(Path.of("src", "main", "resources", "learner.conf"));
    List<String> presets = List.of(
        "credit.mode = TERMINAL, kl.log-ratio-max = 40",
        "objective.clipped.high = 0.28, kl.coefficient = 0",
        "loss.aggregation = CONSTANT_DIVISOR, credit.scale = NONE, kl.coefficient = 0",
        "objective.kind = GSPO, loss.aggregation = SEQUENCE_MEAN, kl.coefficient = 0",
        "objective.kind = CISPO, credit.scale = BATCH_STD, kl.coefficient = 0",
        "old-policy.source = RECOMPUTED, sampler-correction.kind = TOKEN_TRUNCATED",
        "old-policy.source = RECOMPUTED, sampler-correction.kind = MASKED",
        "kl.unbiased = on, off-policy-masking.kind = ABOVE");
    for (String preset : presets) {
      Config config =
          ConfigFactory.parseString("rubricem.learner { " + preset + " }").withFallback(DEFAULTS);
      assertTrue(file.contains(preset), "learner.conf does not name " + preset);
      LearnerConfig.options(config);
    }
  }
}
