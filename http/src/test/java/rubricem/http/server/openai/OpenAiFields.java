package rubricem.http.server.openai;

import java.util.Set;

/** The fields of a body that are read, for the description to be compared with. */
public final class OpenAiFields {
  private OpenAiFields() {}

  public static Set<String> chat() {
    return Asked.CHAT_FIELDS;
  }

  public static Set<String> response() {
    return Asked.RESPONSE_FIELDS;
  }
}
