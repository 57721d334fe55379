package rubricem.protocol.port;

import java.util.List;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.report.BoundAnswer;
import rubricem.protocol.report.ClaimVerdict;

/** Looks at each claim of an answer and the passages it is cited by. Never fails. */
public interface AnswerChecker {
  /** What could not be looked at has no verdict. */
  CompletionStage<List<ClaimVerdict>> check(BoundAnswer answer);
}
