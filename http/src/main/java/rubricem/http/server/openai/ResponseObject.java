package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import rubricem.protocol.episode.EpisodeView;

/** An episode as the object of the Responses API. */
final class ResponseObject {
  static final String PREFIX = "resp_";
  static final String MESSAGE = "msg_";

  private ResponseObject() {}

  /** @param output its items so far */
  static ObjectNode json(EpisodeView view, String model, List<ObjectNode> output) {
    ObjectNode json =
        object().put("id", PREFIX + view.id()).put("object", "response")
            .put("created_at", view.createdAt().getEpochSecond())
            .put("status", status(view))
            .put("background", view.metadata().containsKey(Asked.BACKGROUND));
    if (view.endedAt().isPresent()) {
      json.put("completed_at", view.endedAt().get().getEpochSecond());
    }
    json.set("error", error(view));
    if (isCut(view)) {
      json.putObject("incomplete_details").put("reason", "max_output_tokens");
    } else {
      json.putNull("incomplete_details");
    }
    json.put("instructions", view.metadata().get(Asked.INSTRUCTIONS)).put("model", model);
    json.putArray("output").addAll(output);
    json.put("parallel_tool_calls", false)
        .put("previous_response_id", view.metadata().get(Asked.PREVIOUS))
        .putNull("temperature").putNull("top_p").put("tool_choice", "auto")
        .put("store", isStored(view)).put("truncation", "disabled");
    json.putArray("tools");
    json.putObject("reasoning").putNull("effort").putNull("summary");
    json.putObject("text").putObject("format").put("type", "text");
    json.set("usage", view.status().ended() ? usage(view.usage()) : null);
    ObjectNode metadata = json.putObject("metadata");
    for (Map.Entry<String, String> entry : view.metadata().entrySet()) {
      if (!entry.getKey().startsWith(Asked.OURS)) {
        metadata.put(entry.getKey(), entry.getValue());
      }
    }
    return json;
  }

  /** One that is not is shown to who asked for it and to nobody afterwards. */
  static boolean isStored(EpisodeView view) {
    return !view.metadata().containsKey(Asked.UNSTORED);
  }

  static String status(EpisodeView view) {
    return switch (view.status()) {
      case QUEUED -> "queued";
      case RUNNING -> "in_progress";
      case COMPLETED -> isCut(view) ? "incomplete" : "completed";
      case FAILED -> "failed";
      case CANCELLED -> "cancelled";
    };
  }

  private static boolean isCut(EpisodeView view) {
    return view.report().isPresent() && AnswerText.of(view).cut();
  }

  private static ObjectNode error(EpisodeView view) {
    return view.error()
        .map(e -> object().put("code", "server_error").put("message", e.message()))
        .orElse(null);
  }

  private static ObjectNode usage(EpisodeView.Usage usage) {
    ObjectNode json = object().put("input_tokens", usage.promptTokens());
    json.putObject("input_tokens_details").put("cached_tokens", 0);
    json.put("output_tokens", usage.completionTokens());
    json.putObject("output_tokens_details").put("reasoning_tokens", 0);
    return json.put("total_tokens", usage.promptTokens() + usage.completionTokens());
  }

  /** What was asked, as the list of input items. */
  static ObjectNode input(EpisodeView view) {
    String id = MESSAGE + view.id() + "_q";
    ObjectNode list = object().put("object", "list");
    ObjectNode message =
        list.putArray("data").addObject().put("id", id).put("type", "message")
            .put("role", "user").put("status", "completed");
    message.putArray("content").addObject().put("type", "input_text")
        .put("text", view.question());
    return list.put("first_id", id).put("last_id", id).put("has_more", false);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
