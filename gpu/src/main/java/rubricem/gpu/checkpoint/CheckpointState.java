package rubricem.gpu.checkpoint;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where a run stood at a checkpoint, and which of its files are what. It is a cut: weights,
 * optimiser, random numbers and the journals of bank, buffers and curriculum are of the same step.
 *
 * @param weightsFolder where the weights lie within the checkpoint; "." for its top, where readers
 *     of Hugging Face folders find them
 * @param optimiserFile within the checkpoint; better not beside the weights, because some readers
 *     take every safetensors file of a folder for weights
 * @param journal the last sequence number that is part of the cut, by journal
 * @param rng the state of each generator, by its use
 * @param base checksum of the model that an adapter belongs to; empty for whole weights, and where
 *     the checkpoint was written before it was recorded
 * @param settings what decided what was learned until here, by key, as text: a run that goes on
 *     must be of the same ones. Empty where the checkpoint was written before they were recorded
 */
public record CheckpointState(
    long step,
    long policyVersion,
    WeightsKind weightsKind,
    String weightsFolder,
    Optional<String> optimiserFile,
    SortedMap<String, Long> journal,
    SortedMap<String, String> rng,
    Optional<String> base,
    SortedMap<String, String> settings) {
  /** Where {@link #of} expects the optimiser's tensors. */
  public static final String OPTIMISER = "optimiser/state.safetensors";

  public CheckpointState {
    if (step < 0 || policyVersion < 0) {
      throw new IllegalArgumentException("step " + step + ", policy version " + policyVersion);
    }
    journal = Collections.unmodifiableSortedMap(new TreeMap<>(journal));
    rng = Collections.unmodifiableSortedMap(new TreeMap<>(rng));
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
  }

  /** The usual layout: weights at the top, the optimiser in a folder of its own. */
  public static CheckpointState of(
      long step,
      long policyVersion,
      WeightsKind kind,
      Map<String, Long> journal,
      Map<String, String> rng) {
    return new CheckpointState(
        step, policyVersion, kind, ".", Optional.of(OPTIMISER), new TreeMap<>(journal),
        new TreeMap<>(rng), Optional.empty(), new TreeMap<>());
  }

  /** The same with an adapter's base. */
  public CheckpointState over(String baseChecksum) {
    return new CheckpointState(
        step, policyVersion, weightsKind, weightsFolder, optimiserFile, journal, rng,
        Optional.of(baseChecksum), settings);
  }

  /** The same with what decided what was learned. */
  public CheckpointState decidedBy(Map<String, String> deciding) {
    return new CheckpointState(
        step, policyVersion, weightsKind, weightsFolder, optimiserFile, journal, rng, base,
        new TreeMap<>(deciding));
  }
}
