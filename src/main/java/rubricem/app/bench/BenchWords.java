package rubricem.app.bench;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Text of any length of which no two slices are alike, so that nothing stored shrinks much. */
final class BenchWords {
  private static final String LETTERS = "etaoinshrdlucmfwypvbgk";
  private static final int VOCABULARY = 4_000;
  private static final int WORDS = 400_000;

  private final String all;

  BenchWords(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    String[] vocabulary = new String[VOCABULARY];
    for (int i = 0; i < VOCABULARY; i++) {
      StringBuilder word = new StringBuilder();
      for (int length = random.nextInt(2, 10); length > 0; length--) {
        word.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      vocabulary[i] = word.toString();
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      text.append(vocabulary[random.nextInt(VOCABULARY)]).append(' ');
    }
    all = text.toString();
  }

  /** A copy of its own, so that what an episode holds is counted as its own. */
  String text(int chars, int... key) {
    int start = Math.floorMod(java.util.Arrays.hashCode(key) * 7919, all.length() - chars);
    return new String(all.substring(start, start + chars).toCharArray());
  }
}
