package rubricem.protocol.scaffold;

/**
 * A stretch of generated text that belongs to one stage.
 *
 * @param turn number of the turn in the trajectory, from 0
 * @param from its first character in that turn's text
 * @param to one past its last character
 */
public record StageSpan(int turn, int from, int to, Stage stage) {}
