package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Path;

/** Another process is writing the index. Searching it goes on meanwhile. */
public final class CorpusBusyException extends IOException {
  private static final long serialVersionUID = 1;

  CorpusBusyException(Path folder) {
    super(
        "another process is indexing into " + folder
            + "; wait until it ends or use another data directory");
  }
}
