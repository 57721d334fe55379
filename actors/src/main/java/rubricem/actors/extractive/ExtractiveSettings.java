package rubricem.actors.extractive;

import java.time.Duration;

/**
 * The bounds of the extractive policy; {@code rubricem.extractive} in reference.conf.
 *
 * @param searchesMax most calls of one episode, whatever the budget allows: more find nothing new
 * @param hits passages asked for by a search
 * @param passagesCited most passages an answer rests on; what a reader can still check
 * @param sentencesEach most sentences quoted of one passage
 * @param embedWait longest time a turn waits for vectors; then it goes by words
 */
public record ExtractiveSettings(
    int searchesMax,
    int hits,
    int passagesCited,
    int sentencesEach,
    Duration embedWait) {

  public static ExtractiveSettings defaults() {
    return new ExtractiveSettings(9, 20, 8, 2, Duration.ofSeconds(10));
  }
}
