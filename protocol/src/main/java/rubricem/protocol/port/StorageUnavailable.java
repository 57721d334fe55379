package rubricem.protocol.port;

/**
 * What is stored cannot be read or written now. The message says what is wrong and what the operator
 * does about it; it may name files and servers, so it is for logs and the command line, not for
 * whoever asks over HTTP.
 */
public abstract class StorageUnavailable extends RuntimeException {
  protected StorageUnavailable(String message) {
    super(message);
  }

  protected StorageUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
