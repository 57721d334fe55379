package rubricem.http.server.mcp;

import java.util.regex.Pattern;
import rubricem.protocol.EpisodeId;

/**
 * The name of a conversation. It stands for nothing that is kept: any node takes any well-formed
 * one, also after a restart, and uses it only to know equal calls of one conversation.
 */
final class McpSession {
  static final String HEADER = "Mcp-Session-Id";

  private static final Pattern FORM = Pattern.compile("m[0-9a-z]{26}");

  private McpSession() {}

  /** @param fresh an id that nothing else has */
  static String of(EpisodeId fresh) {
    return "m" + fresh.value().substring(1);
  }

  static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }
}
