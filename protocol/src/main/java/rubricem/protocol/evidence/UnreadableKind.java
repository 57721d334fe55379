package rubricem.protocol.evidence;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * Why a document cannot be searched. Stored by its label, which never changes; a label that a newer
 * program has written is {@link #OTHER}. What a person reads is a sentence for each kind, with the
 * detail in the place of {@code {0}}.
 */
public enum UnreadableKind {
  ENCRYPTED("encrypted: it opens only with a password"),
  /** Detail: how many pages. */
  SCANNED("scanned: its {0} pages hold no text, only pictures; text recognition is off"),
  EMPTY("empty: it holds no text"),
  ONLY_LINKS("only links: the page leads to other pages and says nothing itself"),
  DAMAGED("truncated or damaged: it cannot be read to its end"),
  /** Detail: the limit in bytes. */
  TOO_LARGE("too large: it has more than {0} bytes, the limit"),
  /** Detail: the limit in characters. */
  TOO_MUCH_TEXT("too large: it holds more than {0} characters of text"),
  /** Detail: what the system said. */
  NOT_READABLE("cannot be opened: {0}"),
  SPECIAL_FILE("special file: a pipe, socket or device is never opened"),
  DANGLING_LINK("dangling link: it leads to no file"),
  OUTSIDE_LINK("link to the outside: it leads out of the folders that were named"),
  /** Detail: the type of its content. */
  UNSUPPORTED("not a document: its content is {0}"),
  /** Detail: the type of its content. */
  PICTURE("a picture ({0}): text in it is not recognised"),
  EXPANDS("refused: it expands to far more than its size (a zip bomb)"),
  NESTED("refused: it is nested too deeply"),
  /** Detail: the limit in seconds. */
  TOO_SLOW("parser time-out: it could not be read within {0} s"),
  SKIPPED("not read: too many documents before it made the parser hang"),
  /** Detail: the whole reason. */
  OTHER("{0}");

  private final String english;

  UnreadableKind(String english) {
    this.english = english;
  }

  /** The reason as one sentence in English. */
  public String reason(String detail) {
    return english.replace("{0}", detail);
  }

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @JsonCreator
  public static UnreadableKind of(String label) {
    for (UnreadableKind kind : values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    return OTHER;
  }
}
