package rubricem.http.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;
import rubricem.protocol.episode.RequestKeys;

/**
 * Starts episodes for every door. A request that may be sent twice carries a key: the key is on
 * disk before the episode begins, so however often and whenever it is sent, also after a crash in
 * between, it means the one episode that its first sending began. Fails with a refusal only.
 */
public final class EpisodeStarting {
  /**
   * @param door keeps the keys of one protocol apart from those of another
   * @param key what the sender calls the request
   * @param asked digest of what it asks for, as it stands there
   * @param bare digest of it without what is assumed anyway
   */
  public record Repeatable(String door, String key, String asked, String bare) {
    /** Hex digits of a digest that are kept: two of them have the place of a whole one. */
    private static final int KEPT = 32;

    /**
     * @param asked the request in one fixed form
     * @param bare the same without its defaults
     */
    public static Repeatable of(String door, String key, String asked, String bare) {
      return new Repeatable(
          door, key, sha256(asked).substring(0, KEPT), sha256(bare).substring(0, KEPT));
    }

    String digest() {
      return asked + bare;
    }

    /**
     * Whether the request of a key asked for the same. As it stands it is the same for ever;
     * without its defaults, as long as these are what they were. Keys of older programs have one
     * whole digest, of the request as it stood.
     */
    boolean means(String stored) {
      return stored.startsWith(asked) || stored.startsWith(bare) || stored.endsWith(bare);
    }

    String stored() {
      return door + ":" + sha256(key);
    }
  }

  /** @param fresh whether this very request began it */
  public record Started(EpisodeView view, boolean fresh) {}

  public static final String NOTHING_TO_SEARCH =
      "There is nothing to search here: whoever runs this server names folders with --corpus PATH,"
          + " or reads them in with index, and starts it again.";

  private final Edge.Ports ports;
  private final ActiveEpisodes active;
  private final Readiness readiness;
  private final Duration retryAfter;

  EpisodeStarting(
      Edge.Ports ports, ActiveEpisodes active, Readiness readiness, Duration retryAfter) {
    this.ports = ports;
    this.active = active;
    this.readiness = readiness;
    this.retryAfter = retryAfter;
  }

  public CompletionStage<Started> start(EpisodeRequest request, Optional<Repeatable> repeatable) {
    EpisodeId fresh = ports.ids().get();
    if (repeatable.isEmpty()) {
      return begin(fresh, request).thenApply(view -> new Started(view, true));
    }
    Repeatable asked = repeatable.get();
    return ports.keys().claim(asked.stored(), asked.digest(), fresh)
        .thenCompose(claim -> claimed(claim, asked, fresh, request));
  }

  /**
   * Starts it as the episode that a key of the door's own means; one that is stored is only shown.
   *
   * @param fresh whether the id was made for this very request
   */
  public CompletionStage<Started> startAs(EpisodeId id, EpisodeRequest request, boolean fresh) {
    if (fresh) {
      return begin(id, request).thenApply(view -> new Started(view, true));
    }
    return ports.index().stored(id)
        .thenCompose(
            stored ->
                stored.isPresent()
                    ? CompletableFuture.completedStage(new Started(stored.get(), false))
                    : begin(id, request).thenApply(view -> new Started(view, false)));
  }

  private CompletionStage<Started> claimed(
      RequestKeys.Claim claim, Repeatable asked, EpisodeId fresh, EpisodeRequest request) {
    if (!asked.means(claim.digest())) {
      throw Problem.of(
              Problem.Kind.KEY_REUSED,
              "The key stands for episode " + claim.id() + ", which was asked for with another"
                  + " body. Send the same body, or another key.")
          .refusal();
    }
    return startAs(claim.id(), request, claim.id().equals(fresh));
  }

  private CompletionStage<EpisodeView> begin(EpisodeId id, EpisodeRequest request) {
    readiness.check();
    if (request.sources().equals(List.of("corpus")) && request.corpus().isEmpty()) {
      throw Problem.of(Problem.Kind.NOT_OFFERED, NOTHING_TO_SEARCH).refusal();
    }
    if (!active.enter(id)) {
      throw Problem.of(
              Problem.Kind.TOO_MANY_EPISODES,
              active.count() + " episodes are running, which is all this server takes. Try again"
                  + " later.")
          .with("Retry-After", "" + Math.max(1, retryAfter.toSeconds()))
          .refusal();
    }
    return ports.episodes().start(id, request)
        .whenComplete((view, failure) -> entered(id, failure))
        .exceptionallyCompose(failure -> notBegun(id, failure));
  }

  /** What is not known to have come to nothing may be running. */
  private void entered(EpisodeId id, Throwable failure) {
    Throwable cause = cause(failure);
    if (cause instanceof Episodes.Refused || cause instanceof Episodes.NotStored) {
      active.leave(id);
    } else if (cause != null) {
      active.leaveWhenKnown(id);
    } else {
      active.leaveAtEnd(id);
    }
  }

  /** Another sending may have begun it by other words, for example before a default changed. */
  private CompletionStage<EpisodeView> notBegun(EpisodeId id, Throwable failure) {
    if (!(cause(failure) instanceof Episodes.Refused refused)) {
      return CompletableFuture.failedStage(failure);
    }
    return ports.index().stored(id)
        .thenApply(
            stored ->
                stored.orElseThrow(
                    () ->
                        Problem.of(Problem.Kind.EPISODE_REFUSED, refused.getMessage()).refusal()));
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** For keys and digests of requests. */
  public static String sha256(String text) {
    try {
      return HexFormat.of().formatHex(
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
