package rubricem.protocol.report;

import java.util.List;

/** A stretch of an answer, in order: text of its own, or a claim with the ids it is cited by. */
public sealed interface AnswerSegment {
  record Plain(String text) implements AnswerSegment {}

  /** @param ids as written, without repeats, in order; may name what nobody retrieved */
  record Cited(String claim, List<String> ids) implements AnswerSegment {}
}
