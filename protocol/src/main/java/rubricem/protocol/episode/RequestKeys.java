package rubricem.protocol.episode;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.EpisodeId;

/**
 * Which episode a request means that may be sent more than once. The first claim of a key is on
 * disk before it is answered, so that after a crash the same key still gives the same episode.
 */
public interface RequestKeys {
  /**
   * @param key what the sender calls the request; 1 to 255 characters
   * @param digest of what was asked for
   * @param fresh the episode that the key shall mean where it means none yet
   */
  CompletionStage<Claim> claim(String key, String digest, EpisodeId fresh);

  /** What a key means; empty where it means nothing yet. */
  CompletionStage<Optional<Claim>> find(String key);

  /** Makes a key mean this episode from now on, whatever it meant before. */
  CompletionStage<Claim> replace(String key, String digest, EpisodeId id);

  /**
   * @param id the episode of the key's first request
   * @param digest of what that request asked for
   */
  record Claim(EpisodeId id, String digest) {}
}
