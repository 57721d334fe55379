package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.PrecisionChoice;
import rubricem.gpu.train.LearningRate;

/** The sections of {@code rubricem.learner} that say where and how long it learns. */
class TrainingConfigTest {
  private static final Config DEFAULTS = ConfigFactory.load();

  private static TrainingConfig with(String key, String value) {
    return TrainingConfig.of(
        ConfigFactory.parseString("rubricem.learner." + key + " = " + value)
            .withFallback(DEFAULTS));
  }

  @Test
  void the_defaults_are_the_papers_on_a_processor() {
    TrainingConfig config = TrainingConfig.of(DEFAULTS);
    assertEquals(new DeviceName.Cpu(), config.computing().device());
    assertTrue(config.computing().workers().isEmpty());
    assertEquals(LearningRate.supervised(), config.supervised().rate());
    assertEquals(5, config.supervised().epochs());
    assertEquals(128, config.supervised().batch());
    assertEquals(16_384, config.supervised().rows().tokensMax());
    assertEquals(5e-7, config.rate().peak());
    assertEquals(0.95, config.optimiser().beta2());
    assertEquals(7, config.adapterTargets().size());
  }

  @Test
  void what_may_be_left_to_us_may_be_said() {
    assertEquals(3, with("device.workers", "3").computing().workers().getAsInt());
    assertEquals(2L << 30, with("device.memory", "2 GiB").computing().memoryBytes().getAsLong());
    assertEquals(PrecisionChoice.AUTO, with("device.precision", "auto").computing().precision());
    assertEquals(
        new DeviceName.Cuda(1), with("device.name", "\"cuda:1\"").computing().device());
  }

  @ParameterizedTest
  @CsvSource({
    "device.name, gpu", "device.precision, fp16", "device.workers, 0", "device.threads, many",
    "device.memory, 1 KiB", "device.packed-tokens, 0", "device.scored-elements, 0",
    "optimiser.beta1, 1", "optimiser.epsilon, 0", "optimiser.weight-decay, -1",
    "optimiser.max-grad-norm, 0", "schedule.rate, 0", "schedule.warm-up, 2",
    "schedule.course, STEPS", "checkpoints.every, 0", "checkpoints.keep-last, 0",
    "supervised.epochs, 0", "supervised.batch, 0", "supervised.row-tokens, 1",
    "supervised.schedule.rate, -1", "supervised.masked-spans, [\"<a>\"]",
    "adapter.targets, [lm_head]", "adapter.targets, []"
  })
  void what_makes_no_sense_is_refused_with_its_section_or_key(String key, String value) {
    var refused = assertThrows(ConfigException.class, () -> with(key, value));
    String message = refused.getMessage();
    assertTrue(
        message.contains(key.substring(0, key.indexOf('.')))
            || message.contains(key.substring(key.lastIndexOf('.') + 1)),
        message);
  }
}
