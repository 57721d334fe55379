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
 * @param vectorsKept texts whose vectors are kept between turns, so that none is computed twice
 */
public record ExtractiveSettings(
    int searchesMax,
    int hits,
    int passagesCited,
    int sentencesEach,
    Duration embedWait,
    int vectorsKept) {

  public static ExtractiveSettings defaults() {
    return new ExtractiveSettings(9, 20, 8, 2, Duration.ofSeconds(10), 4_096);
  }
}
