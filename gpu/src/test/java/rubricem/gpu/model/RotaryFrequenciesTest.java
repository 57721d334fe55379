package rubricem.gpu.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The roundings of programs that cast a whole model, buffers included; values are PyTorch's. */
class RotaryFrequenciesTest {
  @ParameterizedTest
  @CsvSource({
    "FLOAT32, 0.1, 0.1", "BFLOAT16, 0.1, 0.10009765625", "FLOAT16, 0.1, 0.0999755859375",
    "FLOAT16, 1.0E-6, 1.0132789611816406E-6", "BFLOAT16, 1.0E-6, 9.9837779998779297E-7",
    "FLOAT16, 1, 1"
  })
  void a_frequency_is_rounded_as_a_cast_does(
      RotaryFrequencies type, float frequency, float rounded) {
    assertEquals(rounded, type.rounded(frequency));
  }
}
