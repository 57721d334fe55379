package rubricem.gpu.policy;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import rubricem.protocol.EpisodeId;

/**
 * The tokens of turns as they were drawn, so that the next prompt of an episode holds them and not
 * what a tokenizer would make of their text: the cache then fits, and the policy reads what it
 * wrote. Bounded by tokens, the longest unused goes first; what is forgotten is encoded again.
 * Thread safe.
 */
final class SampledTurns {
  private record Turn(EpisodeId episode, String text) {}

  private final long tokensMax;
  private final Map<Turn, int[]> turns = new LinkedHashMap<>(16, 0.75f, true);
  private long tokens;

  SampledTurns(long tokensMax) {
    this.tokensMax = tokensMax;
  }

  synchronized void remember(EpisodeId episode, String text, int[] ids) {
    int[] before = turns.put(new Turn(episode, text), ids);
    tokens += ids.length - (before == null ? 0 : before.length);
    Iterator<int[]> oldest = turns.values().iterator();
    while (tokens > tokensMax && oldest.hasNext()) {
      tokens -= oldest.next().length;
      oldest.remove();
    }
  }

  synchronized Optional<int[]> find(EpisodeId episode, String text) {
    return Optional.ofNullable(turns.get(new Turn(episode, text)));
  }
}
