package rubricem.gpu.supervised;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a record of a data file holds, in whichever of the usual layouts it is written. A record has
 * one of them: what two keys say of the same thing is refused, and so is a key whose text nobody
 * would read. A layout that does not say what is to be learned is refused with a record that does.
 */
sealed interface RecordLayout {
  /** Tokens, and which of them carry loss. */
  record Tokens(JsonNode ids, JsonNode mask) implements RecordLayout {}

  /**
   * Messages with the keys of OpenAI's chat API.
   *
   * @param verbatim what an assistant says stands as it is
   */
  record Conversation(List<JsonNode> messages, List<JsonNode> tools, boolean verbatim)
      implements RecordLayout {}

  /** A text as it is and how it goes on, of which the second is learned. */
  record Continuation(String prompt, String completion) implements RecordLayout {}

  String RIGHT =
      "{\"messages\": [{\"role\": \"user\", \"content\": \"…\"}, {\"role\": \"assistant\","
          + " \"content\": \"…\"}]}";

  /** Who speaks, as ShareGPT has it. */
  Map<String, String> SHARED_ROLES =
      Map.of(
          "human", "user", "user", "user", "gpt", "assistant", "assistant", "assistant", "system",
          "system");

  /** The keys that a layout begins with; a record has one of them. */
  List<String> BEGINNINGS = List.of("ids", "messages", "conversations", "prompt");

  static RecordLayout of(JsonNode record) {
    if (!record.isObject()) {
      throw new IllegalArgumentException(
          (record.isArray() ? "it is an array" : "it is no object")
              + ", and a line is one record, such as " + RIGHT);
    }
    List<String> found =
        BEGINNINGS.stream()
            .filter(key -> record.hasNonNull(key) && !isEmptyList(record.get(key)))
            .toList();
    if (found.size() > 1) {
      throw new IllegalArgumentException(
          "it has both \"" + found.get(0) + "\" and \"" + found.get(1)
              + "\"; a record is read from one of them: remove the other");
    }
    refuseOption(record, "chat_template_kwargs");
    if (!found.isEmpty()) {
      boolean texts = found.getFirst().equals("prompt") && record.get("prompt").isTextual();
      UnreadKeys.refuseInRecord(record, !texts && !found.getFirst().equals("ids"));
      if (!found.getFirst().equals("prompt") && UnreadKeys.says(record.path("completion"))) {
        throw new IllegalArgumentException(
            "it has \"completion\" beside \"" + found.getFirst() + "\", and a completion goes on"
                + " from a \"prompt\": name the one \"prompt\", or remove the other");
      }
    }
    return switch (found.isEmpty() ? "" : found.getFirst()) {
      case "ids" -> new Tokens(list(record, "ids"), record.path("mask"));
      case "messages", "conversations" ->
          conversation(record, messages(record, found.getFirst()));
      case "prompt" -> continued(record);
      case String none -> throw new IllegalArgumentException(unknown(record));
    };
  }

  private static boolean isEmptyList(JsonNode value) {
    return value.isArray() && value.isEmpty();
  }

  private static void refuseOption(JsonNode record, String key) {
    if (record.hasNonNull(key) && !record.get(key).isEmpty()) {
      throw new IllegalArgumentException(
          "it has \"" + key + "\", and the template takes no options here: remove it");
    }
  }

  /** Says which layout it seems to be, and what to write in its place. */
  private static String unknown(JsonNode record) {
    for (String key : BEGINNINGS) {
      if (record.hasNonNull(key)) {
        return "\"" + key + "\" is empty; write " + RIGHT + ", or leave the line out";
      }
    }
    if (record.has("instruction") || record.has("output")) {
      return "it is laid out like Alpaca's (instruction, input, output), which does not say how a"
          + " prompt is made of them; write " + RIGHT;
    }
    if (record.has("input_ids") || record.has("labels")) {
      return "tokens are {\"ids\": [5, 6, 7], \"mask\": [0, 1, 1]}, with 1 where a token is"
          + " learned, and not \"input_ids\" and \"labels\"";
    }
    if (record.has("chosen") || record.has("rejected")) {
      return "it is a preference (chosen, rejected), and this learns what is said; write " + RIGHT;
    }
    if (record.has("text")) {
      return "it has \"text\" alone, which does not say what of it is learned; write " + RIGHT
          + " or {\"prompt\": \"…\", \"completion\": \"…\"}";
    }
    return "it has neither \"messages\" (a conversation) nor \"prompt\" and \"completion\" nor"
        + " \"ids\" and \"mask\" (tokens); a conversation is " + RIGHT;
  }

  private static JsonNode list(JsonNode record, String key) {
    if (!record.get(key).isArray()) {
      throw new IllegalArgumentException("\"" + key + "\" is no list");
    }
    return record.get(key);
  }

  private static Conversation conversation(JsonNode record, List<JsonNode> messages) {
    List<JsonNode> all = new ArrayList<>(messages);
    JsonNode system = record.path("system");
    if (UnreadKeys.says(system)) {
      if (!system.isTextual() || role(messages.getFirst()).equals("system")) {
        throw new IllegalArgumentException(
            "\"system\" is a text, beside messages that begin with no system message");
      }
      all.addFirst(message("system", system));
    }
    return new Conversation(all, tools(record), flag(record, "verbatim", false));
  }

  private static ObjectNode message(String role, JsonNode content) {
    ObjectNode out = JsonNodeFactory.instance.objectNode().put("role", role);
    out.set("content", content);
    return out;
  }

  private static String role(JsonNode message) {
    return message.path("role").asText();
  }

  private static List<JsonNode> messages(JsonNode record, String key) {
    List<JsonNode> out = new ArrayList<>();
    for (JsonNode message : list(record, key)) {
      if (!message.isObject()) {
        throw new IllegalArgumentException("\"" + key + "\" holds something else than messages");
      }
      boolean shared = message.has("from") || message.has("value");
      out.add(checked(shared ? renamed(message) : message));
    }
    return out;
  }

  private static JsonNode renamed(JsonNode message) {
    if (message.has("role") || message.has("content")) {
      throw new IllegalArgumentException(
          "a message has \"from\" or \"value\" beside \"role\" or \"content\"; it has the one pair"
              + " or the other");
    }
    String from = message.path("from").asText();
    String role = SHARED_ROLES.get(from);
    if (role == null) {
      throw new IllegalArgumentException(
          "a message is \"from\": \"" + from + "\"; known are human, gpt and system. Others are"
              + " written {\"role\": \"tool\", \"content\": \"…\"} and so on");
    }
    ObjectNode out = ((ObjectNode) message).deepCopy();
    out.remove("from");
    out.put("role", role);
    JsonNode value = out.remove("value");
    if (value != null) {
      out.set("content", value);
    }
    return out;
  }

  /** What would be dropped in silence is refused. */
  private static JsonNode checked(JsonNode message) {
    JsonNode content = message.path("content");
    // a list of parts is refused with a sentence of its own
    boolean says = content.isTextual() || content.isContainerNode();
    boolean silent = content.isNull() || content.isMissingNode();
    boolean calls = message.path("tool_calls").isArray() && !message.get("tool_calls").isEmpty();
    boolean thinks = message.path("reasoning_content").isTextual();
    UnreadKeys.refuseInMessage(message);
    if (!says && !(silent && role(message).equals("assistant") && (calls || thinks))) {
      throw new IllegalArgumentException("a message has no \"content\" that is a text");
    }
    if (message.hasNonNull("tool_calls") && !message.get("tool_calls").isArray()) {
      throw new IllegalArgumentException("\"tool_calls\" is no list");
    }
    for (JsonNode call : message.path("tool_calls")) {
      JsonNode function = call.path("function").isObject() ? call.get("function") : call;
      if (!function.path("name").isTextual()) {
        throw new IllegalArgumentException("a call in \"tool_calls\" has no name");
      }
    }
    return message;
  }

  /** Whether an assistant's message is learned; also by OpenAI's word for it. */
  static boolean learned(JsonNode message) {
    JsonNode weight = message.path("weight");
    if (!message.hasNonNull("weight")) {
      return flag(message, "train", true);
    }
    if (!weight.isNumber() || weight.asDouble() != 0 && weight.asDouble() != 1) {
      throw new IllegalArgumentException("\"weight\" is " + weight + "; 0 and 1 are known");
    }
    return weight.asDouble() == 1 && flag(message, "train", true);
  }

  private static boolean flag(JsonNode node, String key, boolean usual) {
    if (!node.hasNonNull(key)) {
      return usual;
    }
    if (!node.get(key).isBoolean()) {
      throw new IllegalArgumentException("\"" + key + "\" is neither true nor false");
    }
    return node.get(key).booleanValue();
  }

  /** A list, or, as tables of data sets have it, a text that is one. */
  private static List<JsonNode> tools(JsonNode record) {
    JsonNode tools = record.path("tools");
    List<JsonNode> out = new ArrayList<>();
    if (!record.hasNonNull("tools") || tools.isTextual() && tools.textValue().isBlank()) {
      return out;
    }
    try {
      JsonNode list = tools.isTextual() ? new ObjectMapper().readTree(tools.textValue()) : tools;
      if (list.isNull()) {
        return out;
      }
      if (list.isArray()) {
        list.forEach(out::add);
        return out;
      }
    } catch (JsonProcessingException e) {
      // as wrong as something else than a list
    }
    throw new IllegalArgumentException("\"tools\" is no list of declarations");
  }

  private static RecordLayout continued(JsonNode record) {
    JsonNode prompt = record.get("prompt");
    JsonNode completion = record.path("completion");
    if (prompt.isTextual() && completion.isTextual()) {
      return new Continuation(prompt.textValue(), completion.textValue());
    }
    if (!prompt.isArray() || !completion.isArray() || completion.isEmpty()) {
      throw new IllegalArgumentException(
          "\"prompt\" and \"completion\" are two texts, or two lists of messages, such as"
              + " {\"prompt\": [{\"role\": \"user\", \"content\": \"…\"}], \"completion\":"
              + " [{\"role\": \"assistant\", \"content\": \"…\"}]}");
    }
    List<JsonNode> messages = new ArrayList<>();
    for (JsonNode message : messages(record, "prompt")) {
      messages.add(((ObjectNode) message).deepCopy().put("train", false));
    }
    for (JsonNode message : messages(record, "completion")) {
      if (!role(message).equals("assistant")) {
        throw new IllegalArgumentException(
            "\"completion\" holds a message of " + role(message)
                + ", and only what an assistant says is learned: write one conversation, " + RIGHT);
      }
      messages.add(message);
    }
    return conversation(record, messages);
  }
}
