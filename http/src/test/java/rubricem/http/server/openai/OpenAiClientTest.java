package rubricem.http.server.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.InternalServerException;
import com.openai.errors.NotFoundException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.models.Model;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseOutputText;
import com.openai.models.responses.ResponseRetrieveParams;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rubricem.http.server.EdgeRig;
import rubricem.http.server.PlayedEpisode;
import rubricem.protocol.EpisodeId;

/** The official Java library, unchanged, against the door. */
class OpenAiClientTest {
  private EdgeRig rig;
  private OpenAIClient client;

  @BeforeEach
  void start() throws Exception {
    rig = new EdgeRig();
    rig.world.afterStart = id -> PlayedEpisode.play(rig.world, id);
    client =
        OpenAIOkHttpClient.builder().baseUrl("http://127.0.0.1:" + rig.port() + "/v1").apiKey("k")
            .build();
  }

  @AfterEach
  void stop() {
    client.close();
    rig.close();
  }

  private static ChatCompletionCreateParams chat() {
    return ChatCompletionCreateParams.builder().model("rubricem").addUserMessage("tides?").build();
  }

  private static ResponseCreateParams.Builder response() {
    return ResponseCreateParams.builder().model("rubricem").input("tides?");
  }

  /** As Python cuts: by code points. */
  private static String cut(String text, long from, long to) {
    int start = text.offsetByCodePoints(0, (int) from);
    return text.substring(start, text.offsetByCodePoints(start, (int) (to - from)));
  }

  @Test
  void lists_what_may_be_asked_for() {
    assertEquals(
        List.of("rubricem", "rubricem-extractive", "rubricem-m"),
        client.models().list().data().stream().map(m -> m.id()).toList());
    Model model = client.models().retrieve("rubricem-m");
    assertEquals("rubricem-m", model.id());
    assertEquals(
        "openai:m", model._additionalProperties().get("policy").convert(String.class));
    assertThrows(NotFoundException.class, () -> client.models().retrieve("gpt"));
  }

  @Test
  void R03_R11_chat_citations_cut_the_claims_and_lead_to_what_was_retrieved() {
    ChatCompletion answer = client.chat().completions().create(chat());
    var message = answer.choices().getFirst().message();
    String text = message.content().orElseThrow();
    List<String> cited =
        message.annotations().orElseThrow().stream()
            .map(
                a ->
                    cut(text, a.urlCitation().startIndex(), a.urlCitation().endIndex()) + " "
                        + a.urlCitation().url())
            .toList();
    String source = "/v1/research/" + answer.id().substring("chatcmpl-".length()) + "/sources/S_2";
    assertEquals(
        List.of(
            PlayedEpisode.CLAIM + " file:///docs/moon%20(1).txt",
            PlayedEpisode.OTHER + " " + source,
            PlayedEpisode.OTHER + " file:///docs/moon%20(1).txt"),
        cited);
    assertEquals("stop", answer.choices().getFirst().finishReason().asString());
    assertEquals(30, answer.usage().orElseThrow().totalTokens());
  }

  @Test
  void chat_streams_the_same_text() {
    String whole =
        client.chat().completions().create(chat()).choices().getFirst().message().content()
            .orElseThrow();
    try (var stream = client.chat().completions().createStreaming(chat())) {
      String streamed =
          stream.stream().flatMap(c -> c.choices().stream())
              .flatMap(c -> c.delta().content().stream()).collect(Collectors.joining());
      assertEquals(whole, streamed);
    }
  }

  @Test
  void a_failure_is_an_error_and_is_not_asked_for_again() {
    AtomicInteger begun = new AtomicInteger();
    rig.world.afterStart =
        id -> {
          begun.incrementAndGet();
          PlayedEpisode.fail(rig.world, id);
        };
    InternalServerException failed =
        assertThrows(
            InternalServerException.class, () -> client.chat().completions().create(chat()));
    assertTrue(failed.getMessage().contains("The model was away."), failed.getMessage());
    assertEquals(1, begun.get());
    Response response = client.responses().create(response().build());
    assertEquals(ResponseStatus.FAILED, response.status().orElseThrow());
    assertEquals("The model was away.", response.error().orElseThrow().message());
    assertEquals(List.of(), response.output());
  }

  @Test
  void a_response_has_its_steps_and_a_message_with_citations() {
    Response answer = client.responses().create(response().build());
    assertEquals(ResponseStatus.COMPLETED, answer.status().orElseThrow());
    assertEquals(4, answer.output().size());
    assertTrue(answer.output().get(0).isReasoning());
    assertTrue(answer.output().get(1).isFileSearchCall());
    ResponseOutputText text =
        answer.output().get(3).asMessage().content().getFirst().asOutputText();
    var citation = text.annotations().getFirst().asUrlCitation();
    assertEquals(
        PlayedEpisode.CLAIM, cut(text.text(), citation.startIndex(), citation.endIndex()));
    assertEquals(answer.output(), client.responses().retrieve(answer.id()).output());
  }

  @Test
  void a_stream_of_a_response_can_be_gone_on_with_from_any_number() {
    List<ResponseStreamEvent> all;
    try (var stream = client.responses().createStreaming(response().build())) {
      all = stream.stream().toList();
    }
    Response last = all.getLast().completed().orElseThrow().response();
    for (int after = 0; after < all.size(); after++) {
      ResponseRetrieveParams from =
          ResponseRetrieveParams.builder().responseId(last.id()).startingAfter(after).build();
      try (var stream = client.responses().retrieveStreaming(from)) {
        assertEquals(all.subList(after + 1, all.size()), stream.stream().toList(), "" + after);
      }
    }
  }

  @Test
  void a_response_in_the_background_runs_is_cancelled_and_is_deleted() {
    rig.world.afterStart = id -> PlayedEpisode.search(rig.world, id);
    Response begun = client.responses().create(response().background(true).build());
    assertEquals(ResponseStatus.IN_PROGRESS, begun.status().orElseThrow());
    assertTrue(begun.background().orElseThrow());
    assertEquals(2, client.responses().retrieve(begun.id()).output().size());
    Response cancelled = client.responses().cancel(begun.id());
    assertEquals(ResponseStatus.CANCELLED, cancelled.status().orElseThrow());
    assertEquals(
        1, client.responses().inputItems().list(begun.id()).data().size());
    client.responses().delete(begun.id());
    assertThrows(NotFoundException.class, () -> client.responses().retrieve(begun.id()));
    assertThrows(NotFoundException.class, () -> client.responses().delete(begun.id()));
    EpisodeId id = new EpisodeId(begun.id().substring("resp_".length()));
    assertTrue(rig.world.stored(id).toCompletableFuture().join().isPresent());
  }
}
