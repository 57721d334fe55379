package rubricem.gpu.model;

/**
 * What another program rounds where ours does not: only for meeting the numbers it made.
 *
 * @param narrowNorms norms are taken in 32 bits, whatever the rest is in
 */
public record ReferenceRounding(RotaryFrequencies frequencies, boolean narrowNorms) {
  public static final ReferenceRounding NONE =
      new ReferenceRounding(RotaryFrequencies.FLOAT32, false);
}
