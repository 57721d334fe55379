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
import java.util.List;
import java.util.Locale;
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

/** The section {@code rubricem.learner}: defaults, choices, refusals. */
class LearnerConfigTest {
  private static final Config DEFAULTS = ConfigFactory.load();
  private static final String SECTION = "rubricem.learner.";

  private static LearnerOptions with(String key, Object value) {
    return LearnerConfig.options(changed(key, value));
  }

  private static Config changed(String key, Object value) {
    return ConfigFactory.parseString(SECTION + key + " = " + value).withFallback(DEFAULTS);
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
