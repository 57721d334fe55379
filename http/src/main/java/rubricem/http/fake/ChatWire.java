package rubricem.http.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes an answer the way a Chat Completions server does: stop texts and the output limit applied,
 * whole or as the events of a stream. The id and the time of an answer follow from the request's
 * number, so that a recorded exchange can be compared byte by byte.
 */
final class ChatWire {
  static final String MODEL = "fake";
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int CHARS_PER_TOKEN = 4;
  private static final long CREATED = 1_767_225_600L;

  private final RecordedRequest request;
  private final FakeAnswer answer;
  private final String content;
  private final String finish;
  private final String stop;

  private ChatWire(RecordedRequest request, FakeAnswer answer) {
    this.request = request;
    this.answer = answer;
    String full =
        answer.thinkingAs() == FakeAnswer.ThinkingAs.INLINE && !answer.thinking().isEmpty()
            ? "<think>" + answer.thinking() + "</think>\n" + answer.content()
            : answer.content();
    this.stop = earliestStop(full, request.body().path("stop"));
    String stopped = stop.isEmpty() ? full : full.substring(0, full.indexOf(stop) + keptStop());
    long limit = limit(request.body()) * CHARS_PER_TOKEN;
    boolean cut = stopped.length() > limit;
    this.content = cut ? stopped.substring(0, (int) limit) : stopped;
    this.finish = cut ? "length" : answer.toolCalls().isEmpty() ? "stop" : "tool_calls";
  }

  /** A delta with text, as one event's data. */
  static String delta(String text) {
    return chunk("chatcmpl-fake", NODES.objectNode().put("content", text), null).toString();
  }

  static ObjectNode whole(RecordedRequest request, FakeAnswer answer) {
    return new ChatWire(request, answer).whole();
  }

  /** The events of the stream without the last {@code [DONE]}. */
  static List<ObjectNode> chunks(RecordedRequest request, FakeAnswer answer) {
    return new ChatWire(request, answer).chunks();
  }

  private int keptStop() {
    return request.body().path("include_stop_str_in_output").asBoolean(false) ? stop.length() : 0;
  }

  private static String earliestStop(String text, JsonNode stops) {
    String found = "";
    int at = Integer.MAX_VALUE;
    for (JsonNode stop : stops.isTextual() ? NODES.arrayNode().add(stops) : stops) {
      int here = text.indexOf(stop.asText());
      if (here >= 0 && here < at && !stop.asText().isEmpty()) {
        at = here;
        found = stop.asText();
      }
    }
    return found;
  }

  private static long limit(JsonNode body) {
    long unlimited = Integer.MAX_VALUE / CHARS_PER_TOKEN;
    long asked =
        body.path("max_completion_tokens").asLong(body.path("max_tokens").asLong(unlimited));
    return Math.clamp(asked, 0, unlimited);
  }

  private String id() {
    return "chatcmpl-fake-" + request.number();
  }

  private ObjectNode whole() {
    ObjectNode root =
        NODES.objectNode().put("id", id()).put("object", "chat.completion").put("created", CREATED)
            .put("model", model());
    ObjectNode choice = root.putArray("choices").addObject().put("index", 0);
    ObjectNode message = choice.putObject("message").put("role", "assistant");
    putThinking(message, answer.thinking());
    message.put("content", content);
    if (!answer.toolCalls().isEmpty()) {
      message.set("tool_calls", toolCalls(false));
    }
    choice.put("finish_reason", finish).putNull("logprobs");
    if (answer.withUsage()) {
      root.set("usage", usage());
    }
    return root;
  }

  private List<ObjectNode> chunks() {
    List<ObjectNode> chunks = new ArrayList<>();
    chunks.add(chunk(NODES.objectNode().put("role", "assistant").put("content", ""), null));
    for (String piece : pieces(beside() ? answer.thinking() : "")) {
      ObjectNode delta = NODES.objectNode();
      putThinking(delta, piece);
      chunks.add(chunk(delta, null));
    }
    for (String piece : pieces(content)) {
      chunks.add(chunk(NODES.objectNode().put("content", piece), null));
    }
    if (!answer.toolCalls().isEmpty()) {
      ObjectNode delta = NODES.objectNode();
      delta.set("tool_calls", toolCalls(true));
      chunks.add(chunk(delta, null));
    }
    chunks.add(chunk(NODES.objectNode(), finish));
    if (request.wantsUsage() && answer.withUsage()) {
      chunks.forEach(c -> c.putNull("usage"));
      ObjectNode last = chunk(NODES.objectNode(), null);
      last.set("choices", NODES.arrayNode());
      last.set("usage", usage());
      chunks.add(last);
    }
    return chunks;
  }

  private boolean beside() {
    return answer.thinkingAs() != FakeAnswer.ThinkingAs.INLINE;
  }

  private void putThinking(ObjectNode message, String text) {
    if (text.isEmpty()) {
      return;
    }
    switch (answer.thinkingAs()) {
      case INLINE -> { }
      case REASONING_CONTENT -> message.put("reasoning_content", text);
      case REASONING -> message.put("reasoning", text);
      case BOTH -> message.put("reasoning_content", text).put("reasoning", text);
    }
  }

  private List<String> pieces(String text) {
    List<String> pieces = new ArrayList<>();
    for (int from = 0; from < text.length(); from += answer.chunkChars()) {
      pieces.add(text.substring(from, Math.min(text.length(), from + answer.chunkChars())));
    }
    return pieces;
  }

  private ArrayNode toolCalls(boolean indexed) {
    ArrayNode calls = NODES.arrayNode();
    for (FakeAnswer.FakeToolCall call : answer.toolCalls()) {
      ObjectNode node = calls.addObject();
      if (indexed) {
        node.put("index", calls.size() - 1);
      }
      node.put("id", call.id()).put("type", "function").putObject("function")
          .put("name", call.name()).put("arguments", call.arguments());
    }
    return calls;
  }

  private String model() {
    return request.body().path("model").asText(MODEL);
  }

  private ObjectNode usage() {
    int prompt = 0;
    for (JsonNode message : request.body().path("messages")) {
      prompt += RecordedRequest.text(message.path("content")).length();
    }
    long read = Math.ceilDiv(prompt, CHARS_PER_TOKEN);
    long written = Math.ceilDiv(content.length() + answer.thinking().length(), CHARS_PER_TOKEN);
    return NODES.objectNode().put("prompt_tokens", read).put("completion_tokens", written)
        .put("total_tokens", read + written);
  }

  private ObjectNode chunk(ObjectNode delta, @org.jspecify.annotations.Nullable String reason) {
    return chunk(id(), delta, reason).put("model", model());
  }

  private static ObjectNode chunk(
      String id, ObjectNode delta, @org.jspecify.annotations.Nullable String reason) {
    ObjectNode root =
        NODES.objectNode().put("id", id).put("object", "chat.completion.chunk")
            .put("created", CREATED).put("model", MODEL);
    ObjectNode choice = root.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.put("finish_reason", reason);
    return root;
  }
}
