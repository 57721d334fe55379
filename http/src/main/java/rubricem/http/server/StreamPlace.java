package rubricem.http.server;

import org.apache.pekko.http.javadsl.model.AttributeKey;

/**
 * Where a request asks whether its answer may be a stream, before anything is begun for it. {@link
 * ConnectionGate} puts it on each request as an attribute, which nothing from outside can be. A
 * place that was taken is the connection's until the answer has gone, whatever the answer is.
 */
@FunctionalInterface
interface StreamPlace {
  AttributeKey<StreamPlace> KEY = AttributeKey.create("rubricem.stream-place", StreamPlace.class);

  /** A stream ends with its episode: not as soon as another request. */
  int RETRY_SECONDS = 5;

  Problem ALL_IN_USE =
      Problem.of(
              Problem.Kind.NOT_READY, "All event streams are in use. Ask again in a moment.")
          .with("Retry-After", "" + RETRY_SECONDS);

  /** Answers whether there is one; the same request may ask twice. From any thread. */
  boolean take();
}
