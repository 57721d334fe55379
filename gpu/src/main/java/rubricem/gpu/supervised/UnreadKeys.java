package rubricem.gpu.supervised;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keys that would be lost in silence: what is said where the template has no place, and what is to
 * be learned in the words of another program. A value counts as soon as it says anything, whatever
 * its type. Any other key is taken for a remark about the record.
 */
final class UnreadKeys {
  /** Of a message: said somewhere else than where it is read. */
  private static final List<String> SAID =
      List.of("text", "parts", "thinking", "reasoning", "function_call", "refusal", "audio");

  /** How other programs say in a message what is learned, or how the template is filled. */
  private static final List<String> DECIDING =
      List.of("loss", "loss_mask", "mask", "trainable", "training", "enable_thinking", "labels");

  /** The same beside messages or tokens; the last two are known in a message only. */
  private static final List<String> DECIDING_RECORD =
      List.of(
          "loss", "loss_mask", "trainable", "training", "enable_thinking", "labels", "weight",
          "train");

  /** Beside a conversation: what would be in its prompt, or after it. */
  private static final List<String> BESIDE_MESSAGES =
      List.of("functions", "function_call", "documents", "input", "mask");

  /** What a conversation has and a text or tokens have not. */
  private static final List<String> OF_CONVERSATIONS = List.of("system", "tools", "verbatim");

  private UnreadKeys() {}

  static void refuseInMessage(JsonNode message) {
    for (String key : SAID) {
      if (says(message.path(key))) {
        throw new IllegalArgumentException(
            "a message has \"" + key + "\", which nothing reads; what is said is \"content\", what"
                + " is thought \"reasoning_content\", what is called \"tool_calls\"");
      }
    }
    for (String key : DECIDING) {
      if (message.hasNonNull(key)) {
        throw new IllegalArgumentException(
            "a message has \"" + key + "\", which nothing reads; \"train\": false, or \"weight\":"
                + " 0, in an assistant's message says that it is not learned");
      }
    }
    refuseWrongSpeaker(message);
  }

  private static void refuseWrongSpeaker(JsonNode message) {
    JsonNode thought = message.path("reasoning_content");
    if (says(thought) && !thought.isTextual()) {
      throw new IllegalArgumentException("\"reasoning_content\" of a message is no text");
    }
    if (!message.path("role").asText().equals("assistant")) {
      for (String key : List.of("reasoning_content", "tool_calls")) {
        if (says(message.path(key))) {
          throw new IllegalArgumentException(
              "a message of " + message.path("role").asText() + " has \"" + key
                  + "\", which only an assistant has: nothing would read it");
        }
      }
    }
  }

  /** @param conversation what the record holds is messages */
  static void refuseInRecord(JsonNode record, boolean conversation) {
    for (String key : DECIDING_RECORD) {
      if (record.hasNonNull(key)) {
        throw new IllegalArgumentException(
            "it has \"" + key + "\", which nothing reads there: \"train\": false in a message, or"
                + " the \"mask\" of \"ids\", says what is not learned; remove the key");
      }
    }
    // of a pair that is good or bad, the bad would be learned like the good
    if (record.path("label").isBoolean()) {
      throw new IllegalArgumentException(
          "it has a \"label\" that is " + record.get("label") + ", as preferences have it, and all"
              + " of a record is learned: leave out what is false, and the key");
    }
    Stream<String> others =
        conversation
            ? BESIDE_MESSAGES.stream()
            : Stream.concat(
                OF_CONVERSATIONS.stream(), BESIDE_MESSAGES.stream().filter(k -> !k.equals("mask")));
    others.filter(key -> says(record.path(key))).findFirst().ifPresent(UnreadKeys::refuseBeside);
  }

  private static void refuseBeside(String key) {
    throw new IllegalArgumentException(
        "it has \"" + key + "\", which nothing reads in this layout: what a prompt is made of are"
            + " messages, and \"system\" and \"tools\" beside messages; write "
            + RecordLayout.RIGHT);
  }

  /** Anything but nothing, an empty text, an empty list and an empty object, or a plain no. */
  static boolean says(JsonNode value) {
    return switch (value.getNodeType()) {
      case MISSING, NULL -> false;
      case STRING -> !value.textValue().isEmpty();
      case ARRAY, OBJECT -> !value.isEmpty();
      case BOOLEAN -> value.booleanValue();
      case NUMBER, BINARY, POJO -> true;
    };
  }
}
