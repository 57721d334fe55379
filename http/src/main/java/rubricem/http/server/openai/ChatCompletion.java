package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import rubricem.http.server.Problem;
import rubricem.protocol.episode.EpisodeView;

/** An ended episode as a chat completion; one without a report is a problem, never a text. */
final class ChatCompletion {
  static final String PREFIX = "chatcmpl-";

  private ChatCompletion() {}

  static ObjectNode json(EpisodeView view, String model) {
    problemOf(view);
    AnswerText answer = AnswerText.of(view);
    ObjectNode completion =
        object().put("id", PREFIX + view.id()).put("object", "chat.completion")
            .put("created", view.createdAt().getEpochSecond()).put("model", model);
    ObjectNode choice = completion.putArray("choices").addObject().put("index", 0);
    ObjectNode message =
        choice.putObject("message").put("role", "assistant").put("content", answer.text())
            .putNull("refusal");
    message.set("annotations", answer.nestedAnnotations());
    choice.put("finish_reason", answer.cut() ? "length" : "stop").putNull("logprobs");
    completion.set("usage", usage(view.usage()));
    return completion;
  }

  /** Refuses where the episode came to no report. */
  private static void problemOf(EpisodeView view) {
    if (view.report().isEmpty()) {
      throw problem(view).refusal();
    }
  }

  static Problem problem(EpisodeView view) {
    return switch (view.status()) {
      case FAILED ->
          Problem.of(
              Problem.Kind.EPISODE_FAILED,
              view.error().map(EpisodeView.Failure::message).orElse("Its events say why."));
      case CANCELLED ->
          Problem.of(Problem.Kind.EPISODE_CANCELLED, "Episode " + view.id() + " has no report.");
      case QUEUED, RUNNING, COMPLETED ->
          Problem.of(Problem.Kind.DEFECT, "Episode " + view.id() + " has no report.");
    };
  }

  static ObjectNode usage(EpisodeView.Usage usage) {
    ObjectNode json =
        object().put("prompt_tokens", usage.promptTokens())
            .put("completion_tokens", usage.completionTokens())
            .put("total_tokens", usage.promptTokens() + usage.completionTokens());
    json.putObject("prompt_tokens_details").put("cached_tokens", 0).put("audio_tokens", 0);
    json.putObject("completion_tokens_details").put("reasoning_tokens", 0)
        .put("audio_tokens", 0).put("accepted_prediction_tokens", 0)
        .put("rejected_prediction_tokens", 0);
    return json;
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
