package rubricem.gpu.policy;

import rubricem.gpu.device.DeviceName;
import rubricem.gpu.generate.GeneratorSettings;
import rubricem.gpu.model.Precision;

/**
 * How models of this machine are used for generating.
 *
 * @param workers threads that decode side by side; 0: by the size of the model
 * @param threads of libtorch for each of them; 0: what the processors leave
 * @param temperature of the policy's turns
 * @param rememberedTokens most tokens of earlier turns that are kept as they were drawn
 */
public record LocalSettings(
    DeviceName device, Precision precision, int workers, int threads, int slots, int queueMax,
    int context, long cacheTokens, int promptChunk, long prefixTokens, double temperature,
    int topK, double topP, long rememberedTokens) {

  /** The same on another device. */
  public LocalSettings on(DeviceName other) {
    return new LocalSettings(
        other, precision, workers, threads, slots, queueMax, context, cacheTokens, promptChunk,
        prefixTokens, temperature, topK, topP, rememberedTokens);
  }

  /** The bounds of a generator for a model of so many parameters. */
  GeneratorSettings generator(long parameters, int processors) {
    GeneratorSettings usual = GeneratorSettings.usualFor(parameters, processors);
    int chosen = workers > 0 ? workers : usual.workers();
    int each = threads > 0 ? threads : Math.max(1, processors / chosen);
    return new GeneratorSettings(
        chosen, each, Math.max(chosen, slots), queueMax, context,
        Math.max(cacheTokens, (long) context * chosen), promptChunk, prefixTokens);
  }
}
