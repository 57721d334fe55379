package rubricem.http.server.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rubricem.http.server.EdgeRig;
import rubricem.http.server.PlayedEpisode;

/** a request that is sent again never begins a second episode, whoever sends it again. */
class RetriedPostsTest {
  private static final String BODY =
      "{\"model\":\"rubricem\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}";

  private EdgeRig rig;

  @BeforeEach
  void start() throws Exception {
    rig = new EdgeRig();
    rig.world.afterStart = id -> PlayedEpisode.play(rig.world, id);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private ChatCompletion chat(FaultyProxy proxy, Duration timeout) {
    OpenAIClient client =
        OpenAIOkHttpClient.builder().baseUrl(proxy.address()).apiKey("k").timeout(timeout).build();
    try {
      return client.chat().completions().create(
          ChatCompletionCreateParams.builder().model("rubricem").addUserMessage("tides?").build());
    } finally {
      client.close();
    }
  }

  @Test
  void a_library_that_repeats_after_a_503_gets_the_one_episode() throws Exception {
    try (FaultyProxy proxy =
        new FaultyProxy(
            rig.port(), FaultyProxy.Fault.ANSWER_LOST, FaultyProxy.Fault.ANSWER_LOST)) {
      ChatCompletion answer = chat(proxy, Duration.ofSeconds(20));
      assertTrue(answer.choices().getFirst().message().content().orElse("").contains("Mond"));
      assertEquals(List.of("0", "1", "2"), proxy.tries);
      assertEquals(1, rig.world.count());
    }
  }

  @Test
  void one_whose_first_sending_never_arrived_begins_it_once() throws Exception {
    try (FaultyProxy proxy =
        new FaultyProxy(rig.port(), FaultyProxy.Fault.REFUSED, FaultyProxy.Fault.ANSWER_LOST)) {
      chat(proxy, Duration.ofSeconds(20));
      assertEquals(List.of("0", "1", "2"), proxy.tries);
      assertEquals(1, rig.world.count());
    }
  }

  @Test
  void a_library_that_repeats_after_its_time_out_gets_the_one_episode() throws Exception {
    try (FaultyProxy proxy =
        new FaultyProxy(rig.port(), FaultyProxy.Fault.SILENT, FaultyProxy.Fault.SILENT)) {
      chat(proxy, Duration.ofMillis(700));
      assertEquals(List.of("0", "1", "2"), proxy.tries);
      assertEquals(1, rig.world.count());
    }
  }

  @Test
  void responses_are_no_different() throws Exception {
    try (FaultyProxy proxy =
        new FaultyProxy(
            rig.port(), FaultyProxy.Fault.ANSWER_LOST, FaultyProxy.Fault.SILENT)) {
      OpenAIClient client =
          OpenAIOkHttpClient.builder().baseUrl(proxy.address()).apiKey("k")
              .timeout(Duration.ofMillis(900)).build();
      Response answer =
          client.responses().create(
              ResponseCreateParams.builder().model("rubricem").input("tides?").build());
      assertEquals("completed", answer.status().orElseThrow().asString());
      assertEquals(3, proxy.tries.size());
      assertEquals(1, rig.world.count());
      client.close();
    }
  }

  private String post(String... headers) throws Exception {
    HttpResponse<String> answer = rig.post("/v1/chat/completions", BODY, headers);
    assertEquals(200, answer.statusCode(), answer.body());
    return EdgeRig.json(answer).get("id").asText();
  }

  @Test
  void fifty_at_once_with_one_key_are_one_episode() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(
          rig.client.sendAsync(
              rig.posting("/v1/chat/completions", BODY, "Idempotency-Key", "k"),
              HttpResponse.BodyHandlers.ofString()));
    }
    Set<String> bodies = answers.stream().map(a -> a.join().body()).collect(Collectors.toSet());
    assertEquals(1, bodies.size());
    assertEquals(1, rig.world.count());
    HttpResponse<String> other =
        rig.post(
            "/v1/chat/completions", BODY.replace("\"a\"", "\"b\""), "Idempotency-Key", "k");
    assertEquals(422, other.statusCode(), other.body());
  }

  @Test
  void who_counts_his_tries_may_ask_the_same_anew() throws Exception {
    String first = post("X-Stainless-Retry-Count", "0");
    String second = post("X-Stainless-Retry-Count", "0");
    assertNotEquals(first, second);
    assertEquals(second, post("X-Stainless-Retry-Count", "1"));
    assertEquals(2, rig.world.count());
  }

  @Test
  void a_repetition_that_overtakes_the_first_sending_is_the_same_episode() throws Exception {
    assertEquals(post("X-Stainless-Retry-Count", "1"), post("X-Stainless-Retry-Count", "0"));
  }

  @Test
  void who_does_not_count_gets_the_same_unless_it_came_to_nothing() throws Exception {
    assertEquals(post(), post());
    assertNotEquals(post(), post("Authorization", "Bearer other"));
    int before = rig.world.count();
    rig.world.afterStart = id -> PlayedEpisode.fail(rig.world, id);
    String body = BODY.replace("\"a\"", "\"c\"");
    assertEquals(500, rig.post("/v1/chat/completions", body).statusCode());
    assertEquals(500, rig.post("/v1/chat/completions", body).statusCode());
    assertEquals(before + 2, rig.world.count());
  }
}
