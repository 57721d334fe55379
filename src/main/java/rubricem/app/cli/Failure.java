package rubricem.app.cli;

/** A command that cannot go on: its exit code and the one paragraph that the user reads. */
public final class Failure extends RuntimeException {
  static final int WORK_FAILED = 1;
  static final int USAGE = 2;
  static final int NO_EVIDENCE = 3;
  static final int INTERRUPTED = 130;

  private final int code;

  private Failure(int code, String message) {
    super(message);
    this.code = code;
  }

  static Failure work(String message) {
    return new Failure(WORK_FAILED, message);
  }

  static Failure usage(String message) {
    return new Failure(USAGE, message);
  }

  static Failure interrupted(String message) {
    return new Failure(INTERRUPTED, message);
  }

  int code() {
    return code;
  }
}
