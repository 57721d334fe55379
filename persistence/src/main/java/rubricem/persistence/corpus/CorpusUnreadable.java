package rubricem.persistence.corpus;

import java.io.IOException;
import rubricem.protocol.port.StorageUnavailable;

/** The index of the documents cannot be read: it is damaged, or gone. */
final class CorpusUnreadable extends StorageUnavailable {
  CorpusUnreadable(IOException cause) {
    super(
        "The index of the documents cannot be read (" + CorpusSearch.said(cause)
            + "). Remove its folder and start again: it is made anew from the documents.",
        cause);
  }
}
