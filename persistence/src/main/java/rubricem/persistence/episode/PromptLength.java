package rubricem.persistence.episode;

import rubricem.protocol.scaffold.OutsideText;

/**
 * How long a piece of history can become in a prompt, told without writing it: added up while an
 * episode is folded, so that the bound of the prompt need not be looked for at every turn.
 */
public final class PromptLength {
  /** Our own sentences in one reply, with their tags. */
  private static final int OWN_WORDS_MAX = 1_000;

  /** The tags around a note, or an id in a list. */
  private static final int TAGS_MAX = 40;

  private PromptLength() {}

  static long ofTurn(String text) {
    return text.length() + OWN_WORDS_MAX;
  }

  /** What a reply says beside its snippets. */
  static long of(TurnRecord.Reply reply) {
    return switch (reply) {
      case TurnRecord.Unread unread -> 0;
      case TurnRecord.Answered answered -> 0;
      case TurnRecord.Rejected rejected -> OutsideText.escapedLengthMax(rejected.notice());
      case TurnRecord.Called called ->
          switch (called.outcome().orElse(null)) {
            case null -> 0;
            case TurnRecord.Served served -> 0;
            case TurnRecord.Refused refused -> OutsideText.escapedLengthMax(refused.message());
            case TurnRecord.Failed failed -> OutsideText.escapedLengthMax(failed.message());
            case TurnRecord.Found found ->
                found.notes().stream().mapToLong(OutsideText::escapedLengthMax).sum()
                    + TAGS_MAX * (long) (found.notes().size() + found.again().size());
          };
    };
  }
}
