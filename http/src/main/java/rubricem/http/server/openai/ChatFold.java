package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import rubricem.http.server.Problem;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeView;

/**
 * An episode as chunks of a chat completion: what happens goes into {@code reasoning_content}, the
 * report and nothing else into {@code content}, its citations onto the last piece of it. A failure
 * is an error in the stream.
 */
final class ChatFold implements StreamFold {
  private final ObjectNode frame;
  private final boolean usage;

  ChatFold(EpisodeView view, String model, boolean usage) {
    this.usage = usage;
    this.frame =
        JsonNodeFactory.instance.objectNode().put("id", ChatCompletion.PREFIX + view.id())
            .put("object", "chat.completion.chunk")
            .put("created", view.createdAt().getEpochSecond()).put("model", model);
  }

  @Override
  public String begin(EpisodeView view) {
    return chunk(delta().put("role", "assistant").put("content", ""), Optional.empty());
  }

  @Override
  public String on(EpisodeEvent event) {
    return ResearchStep.of(event)
        .map(ChatFold::words)
        .map(text -> chunk(delta().put("reasoning_content", text), Optional.empty()))
        .orElse("");
  }

  private static String words(ResearchStep step) {
    return switch (step) {
      case ResearchStep.Thought thought -> thought.text() + "\n\n";
      case ResearchStep.SearchBegun search ->
          (search.web() ? "Searching: " : "Searching the documents: ") + search.query() + "\n";
      case ResearchStep.SearchEnded search ->
          search.found().map(n -> n + (n == 1 ? " passage" : " passages"))
              .orElse("The search failed.") + "\n\n";
    };
  }

  @Override
  public String end(EpisodeView view) {
    if (view.report().isEmpty()) {
      return data(OpenAiProblem.json(ChatCompletion.problem(view)));
    }
    AnswerText answer = AnswerText.of(view);
    List<String> pieces = answer.pieces();
    StringBuilder frames = new StringBuilder();
    for (int i = 0; i < pieces.size(); i++) {
      ObjectNode delta = delta().put("content", pieces.get(i));
      if (i == pieces.size() - 1) {
        delta.set("annotations", answer.nestedAnnotations());
      }
      frames.append(chunk(delta, Optional.empty()));
    }
    frames.append(chunk(delta(), Optional.of(answer.cut() ? "length" : "stop")));
    if (usage) {
      ObjectNode last = frame.deepCopy();
      last.putArray("choices");
      last.set("usage", ChatCompletion.usage(view.usage()));
      frames.append(data(last));
    }
    return frames.append("data: [DONE]\n\n").toString();
  }

  @Override
  public String serverStops() {
    return data(
        OpenAiProblem.json(
            Problem.of(
                Problem.Kind.NOT_READY,
                "The server stops and the episode goes on. Send the same request again.")));
  }

  private static ObjectNode delta() {
    return JsonNodeFactory.instance.objectNode();
  }

  private String chunk(ObjectNode delta, Optional<String> finish) {
    ObjectNode chunk = frame.deepCopy();
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.put("finish_reason", finish.orElse(null)).putNull("logprobs");
    if (usage) {
      chunk.putNull("usage");
    }
    return data(chunk);
  }

  private static String data(ObjectNode json) {
    return "data: " + json + "\n\n";
  }
}
