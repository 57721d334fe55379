package rubricem.protocol.report;

import java.util.List;

/**
 * An answer cut at its cites.
 *
 * @param emptyCites cites without a claim or without an id; their text stays, as plain text
 */
public record ParsedAnswer(List<AnswerSegment> segments, int emptyCites) {}
