package rubricem.http.server.openai;

import java.time.Duration;

/**
 * The section {@code rubricem.server.openai}.
 *
 * @param answerPatience how long a request without stream waits for the report; the client's
 *     library then sends it again and goes on waiting for the same episode
 * @param retryWindow how long a request counts as the repetition of an equal one before it
 */
public record OpenAiDoorSettings(Duration answerPatience, Duration retryWindow) {}
