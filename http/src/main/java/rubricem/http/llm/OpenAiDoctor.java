package rubricem.http.llm;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * Examines a model server as a person would: which models it lists, then one tiny generation. The
 * list decides nothing by itself, because many servers have none; the generation does.
 */
final class OpenAiDoctor {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TINY_OUTPUT = 16;
  private static final int MODELS_NAMED = 8;

  private final OpenAiPolicy policy;
  private final OpenAiAddress address;
  private final HttpClient client;
  private final OpenAiErrors errors;
  private final OpenAiSettings settings;

  OpenAiDoctor(
      OpenAiPolicy policy,
      OpenAiAddress address,
      HttpClient client,
      OpenAiErrors errors,
      OpenAiSettings settings) {
    this.policy = policy;
    this.address = address;
    this.client = client;
    this.errors = errors;
    this.settings = settings;
  }

  Diagnosis examine() {
    try {
      List<String> models = models();
      PolicyOutcome outcome =
          policy.generate(tinyRequest(), GenerationWatcher.NONE).toCompletableFuture().get();
      return switch (outcome) {
        case PolicyOutcome.Generated generated ->
            new Diagnosis(true, policy.spec() + " answers" + ran(generated.modelVersion()) + ".");
        case PolicyOutcome.Failed failed ->
            new Diagnosis(
                false, policy.spec() + ": " + failed.failure().message() + "." + offers(models));
      };
    } catch (HttpCall.Stopped e) {
      return new Diagnosis(false, policy.spec() + ": " + e.failure().message() + ".");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Diagnosis(false, policy.spec() + ": the examination was interrupted.");
    } catch (ExecutionException e) {
      throw new IllegalStateException("a policy's stage failed", e);
    }
  }

  private static String ran(String modelVersion) {
    return modelVersion.isEmpty() ? "" : " as " + modelVersion;
  }

  private String offers(List<String> models) {
    return models.isEmpty() || models.contains(address.model())
        ? ""
        : " It offers " + String.join(", ", models) + ".";
  }

  private List<String> models() throws HttpCall.Stopped, InterruptedException {
    HttpCall call = new HttpCall(client, errors, PATIENCE);
    HttpCall.Answer answer = call.open(policy.get("/models"), settings.timeouts().firstByte());
    HttpCall.Text text =
        call.readText(answer, settings.bounds().eventChars(), settings.timeouts().idle());
    List<String> names = new ArrayList<>();
    Optional<? extends JsonNode> body = JsonText.object(text.text());
    for (JsonNode model : body.<JsonNode>map(b -> b.path("data")).orElse(JsonText.NOTHING)) {
      if (names.size() < MODELS_NAMED || address.model().equals(model.path("id").asText())) {
        names.add(errors.quote(model.path("id").asText()));
      }
    }
    return names;
  }

  private static PolicyRequest tinyRequest() {
    return new PolicyRequest(
        CallId.parse("doctor/1"),
        new EpisodeId("doctor"),
        1,
        "Say OK.",
        FormatLabel.SHORT_FORM,
        "",
        List.of(new PolicyMessage.User("Say OK.")),
        0,
        TINY_OUTPUT,
        0,
        PATIENCE);
  }
}
