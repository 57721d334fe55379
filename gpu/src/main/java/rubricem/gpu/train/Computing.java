package rubricem.gpu.train;

import ai.djl.Device;
import ai.djl.util.cuda.CudaUtils;
import java.lang.management.ManagementFactory;
import java.util.OptionalInt;
import java.util.OptionalLong;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.PrecisionChoice;
import rubricem.gpu.weights.QwenShape;

/**
 * What a user says of the machine a learner runs on; what is left to us is settled by {@link #on}.
 *
 * @param workers micro-batches computed side by side; empty: one a core, as memory allows
 * @param threads of libtorch for each worker; empty: 1 where workers are left to us, else what
 *     cores there are for each
 * @param memoryBytes for values kept between forward and backward; empty: half of the machine's
 * @param packedTokens of a micro-batch
 * @param scoredElements rows times vocabulary scored at once
 */
public record Computing(
    DeviceName device,
    PrecisionChoice precision,
    OptionalInt workers,
    OptionalInt threads,
    OptionalLong memoryBytes,
    int packedTokens,
    long scoredElements) {
  /** More threads than that belong to several processes. */
  public static final int WORKERS_MAX = 1024;

  /** A document is never cut, so this must be able to hold the longest worth training. */
  public static final int PACKED_TOKENS_MAX = 1 << 20;

  /** Below this a single row of a large vocabulary would not fit; above it arrays pass 2 GB. */
  public static final long SCORED_ELEMENTS_MAX = 1L << 29;

  private static final long MEMORY_MIN = 16L << 20;

  /** A GPU is kept busy by one stream of products; on a CPU nothing should wait inside one. */
  private static final int WORKERS_OF_A_GPU = 1;

  /** The machine a learner runs on; of a GPU's, the memory is that of the GPU. */
  public record Machine(int cores, long memoryBytes) {
    /** This one, or what a container leaves of it. */
    public static Machine here(DeviceName name) {
      Device device = name.present();
      int cores = Runtime.getRuntime().availableProcessors();
      if (device.isGpu()) {
        return new Machine(cores, CudaUtils.getGpuMemory(device).getMax());
      }
      var system =
          (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      return new Machine(cores, system.getTotalMemorySize());
    }
  }

  public Computing {
    within("workers", workers, WORKERS_MAX);
    within("threads", threads, WORKERS_MAX);
    if (memoryBytes.isPresent() && memoryBytes.getAsLong() < MEMORY_MIN) {
      throw new IllegalArgumentException(
          "memory of " + memoryBytes.getAsLong() + " bytes; at least 16 MiB");
    }
    if (packedTokens < 1 || packedTokens > PACKED_TOKENS_MAX) {
      throw new IllegalArgumentException(
          "packed-tokens " + packedTokens + "; 1 to " + PACKED_TOKENS_MAX);
    }
    if (scoredElements < 1 || scoredElements > SCORED_ELEMENTS_MAX) {
      throw new IllegalArgumentException(
          "scored-elements " + scoredElements + "; 1 to " + SCORED_ELEMENTS_MAX);
    }
  }

  private static void within(String what, OptionalInt value, int most) {
    if (value.isPresent() && (value.getAsInt() < 1 || value.getAsInt() > most)) {
      throw new IllegalArgumentException(
          what + " " + value.getAsInt() + "; auto, or 1 to " + most);
    }
  }

  /**
   * Settles what was left open.
   *
   * @param trainedBytes of one set of gradients, which every worker has
   */
  public TrainSettings on(Machine machine, QwenShape shape, long trainedBytes) {
    long memory = memoryBytes.orElse(machine.memoryBytes() / 2);
    int count = workers.orElseGet(() -> count(machine.cores(), memory, shape, trainedBytes));
    int each =
        threads.orElse(
            workers.isEmpty() && device instanceof DeviceName.Cpu && count == machine.cores()
                ? 1
                : Math.max(1, machine.cores() / count));
    return new TrainSettings(
        new Packing.Tokens(packedTokens), count, each, memory, scoredElements);
  }

  /** As many as have room for their gradients and for a micro-batch of which most is kept. */
  private int count(int cores, long memory, QwenShape shape, long trainedBytes) {
    return switch (device) {
      case DeviceName.Cuda gpu -> WORKERS_OF_A_GPU;
      case DeviceName.Cpu cpu -> {
        long layer = 4L * shape.hidden() * packedTokens;
        long each = trainedBytes + 3L * shape.layers() * layer + 8L * scoredElements;
        yield Math.clamp(memory / each, 1, Math.min(cores, WORKERS_MAX));
      }
    };
  }
}
