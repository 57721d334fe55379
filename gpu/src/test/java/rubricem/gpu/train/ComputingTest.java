package rubricem.gpu.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.MatmulRates;
import rubricem.gpu.device.PrecisionChoice;
import rubricem.gpu.model.Precision;
import rubricem.gpu.weights.QwenShape;

class ComputingTest {
  private static final long GIB = 1L << 30;
  private static final QwenShape SMALL = QwenShape.of(512, 128, 6, 4, 2, 32, 352, true, 2048);
  private static final QwenShape LARGE =
      QwenShape.of(151936, 4096, 36, 32, 8, 128, 12288, false, 40960);

  private static Computing with(DeviceName device, OptionalInt workers, OptionalInt threads) {
    return new Computing(
        device, PrecisionChoice.FP32, workers, threads, OptionalLong.empty(), 4096, 1 << 22);
  }

  @ParameterizedTest
  @CsvSource({
    // cores, GiB, workers and threads asked for (0: auto), those that come out
    "8, 64, 0, 0,  8, 1",
    "8, 64, 2, 0,  2, 4",
    "8, 64, 0, 2,  8, 2",
    "8, 64, 3, 5,  3, 5",
    "1, 64, 0, 0,  1, 1"
  })
  void workers_and_threads_share_the_cores(
      int cores, int memory, int workers, int threads, int count, int each) {
    TrainSettings settings =
        with(new DeviceName.Cpu(), optional(workers), optional(threads))
            .on(new Computing.Machine(cores, memory * GIB), SMALL, 4 * SMALL.parameters());
    assertEquals(count, settings.workers());
    assertEquals(each, settings.threads());
    assertEquals(memory * GIB / 2, settings.memoryBytes());
  }

  private static OptionalInt optional(int value) {
    return value == 0 ? OptionalInt.empty() : OptionalInt.of(value);
  }

  @Test
  void a_model_too_large_for_several_workers_has_one_with_all_cores() {
    TrainSettings settings =
        with(new DeviceName.Cpu(), OptionalInt.empty(), OptionalInt.empty())
            .on(new Computing.Machine(16, 64 * GIB), LARGE, 4 * LARGE.parameters());
    assertEquals(1, settings.workers());
    assertEquals(16, settings.threads());
  }

  @Test
  void a_gpu_has_one_worker() {
    assertEquals(
        1,
        with(new DeviceName.Cuda(0), OptionalInt.empty(), OptionalInt.empty())
            .on(new Computing.Machine(16, 64 * GIB), SMALL, 4 * SMALL.parameters())
            .workers());
  }

  @ParameterizedTest
  @CsvSource({"0,1,100,4096,4096", "1,0,100,4096,4096", "1,1,1,4096,4096", "1,1,100,0,4096",
    "1,1,100,4096,0", "9999,1,100,4096,4096"})
  void what_lies_outside_its_bounds_is_refused(
      int workers, int threads, int mebibytes, int packed, long scored) {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new Computing(
                new DeviceName.Cpu(), PrecisionChoice.AUTO, OptionalInt.of(workers),
                OptionalInt.of(threads), OptionalLong.of((long) mebibytes << 20), packed, scored));
  }

  @ParameterizedTest
  @CsvSource({
    "FP32, 100, 900, FP32", "BF16, 100, 50, BF16", "AUTO, 100, 140, FP32", "AUTO, 100, 160, BF16"
  })
  void auto_takes_16_bits_where_they_are_much_faster(
      PrecisionChoice choice, double fp32, double bf16, Precision expected) {
    assertEquals(expected, choice.on(new MatmulRates(fp32, bf16)));
  }

  @Test
  void the_probe_measures_both_products() {
    MatmulRates rates = MatmulRates.measure(new DeviceName.Cpu(), 1, System::nanoTime);
    // any machine of the last twenty years is above, none is a thousand times faster
    assertTrue(rates.fp32() > 0.5 && rates.fp32() < 100_000, rates.toString());
    assertTrue(rates.bf16() > 0.01 && rates.bf16() < 1_000_000, rates.toString());
  }
}
