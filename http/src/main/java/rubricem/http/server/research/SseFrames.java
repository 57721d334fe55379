package rubricem.http.server.research;

import org.apache.pekko.util.ByteString;

/**
 * Frames of a stream of server-sent events. Comments are written as the raw bytes of comment lines:
 * what libraries send as a heartbeat is an event without data, at which strict clients fail.
 */
public final class SseFrames {
  public static final ByteString HEARTBEAT = ByteString.fromString(": still here\n\n");

  private SseFrames() {}

  /** An event that can be resumed from. @param json one line */
  public static String stored(long id, String kind, String json) {
    return "id: " + id + "\nevent: " + kind + "\ndata: " + json + "\n\n";
  }

  /** An event that is gone when it is missed. */
  public static String passing(String kind, String json) {
    return "event: " + kind + "\ndata: " + json + "\n\n";
  }

  public static String comment(String text) {
    return ": " + text + "\n\n";
  }

  /** How long a client waits before it comes back. */
  public static String retry(long millis) {
    return "retry: " + millis + "\n\n";
  }
}
