package rubricem.http.server;

/** Nothing can listen where the server was told to; the message says where and why. */
public final class AddressUnusable extends RuntimeException {
  AddressUnusable(String host, int port, Throwable cause) {
    super(
        "Nothing can listen on " + host + " port " + port + " (" + reason(cause)
            + "). Choose another one with --port, or 0 for a free one; --host takes an address of"
            + " this machine.",
        cause);
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof java.nio.channels.UnresolvedAddressException
            || cause.getMessage() == null
        ? "there is no such address"
        : cause.getMessage();
  }
}
