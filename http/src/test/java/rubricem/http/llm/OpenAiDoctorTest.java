package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import rubricem.http.fake.FakeBehaviour;

/** What the doctor says about a model server, and what an address may hold. */
class OpenAiDoctorTest {
  private static Diagnosis examine(FakeBehaviour behaviour) {
    try (PolicyRig rig = new PolicyRig(behaviour)) {
      return rig.policy.doctor().toCompletableFuture().join();
    }
  }

  @Test
  void a_server_that_generates_is_well() {
    Diagnosis well = examine(FakeBehaviour.says("OK"));
    assertTrue(well.ok());
    assertTrue(well.sentence().endsWith(" answers as m."), well::sentence);
  }

  @Test
  void an_unknown_model_is_answered_with_those_there_are() {
    Diagnosis sick =
        examine(FakeBehaviour.page(404, "{\"error\":{\"message\":\"no model m\"}}"));
    assertFalse(sick.ok());
    assertTrue(sick.sentence().contains("check BASE_URL#MODEL"), sick::sentence);
    assertTrue(sick.sentence().endsWith("It offers fake."), sick::sentence);
  }

  @Test
  void a_wrong_key_is_named_but_not_shown() {
    Diagnosis sick = examine(FakeBehaviour.unauthorizedEchoingKey());
    assertFalse(sick.ok());
    assertTrue(sick.sentence().contains("OPENAI_API_KEY"));
    assertFalse(sick.sentence().contains(PolicyRig.KEY.substring(0, 8)));
  }

  @Test
  void a_server_that_is_not_there_cannot_be_reached() {
    OpenAiPolicy policy;
    try (PolicyRig rig = new PolicyRig(FakeBehaviour.says("OK"))) {
      policy = PolicyRig.policy(rig.policy.spec(), OpenAiSettings.defaults());
    }
    try (policy) {
      Diagnosis sick = policy.doctor().toCompletableFuture().join();
      assertFalse(sick.ok());
      assertTrue(sick.sentence().contains("cannot be reached"), sick::sentence);
    }
  }

  @Test
  void an_address_is_base_url_and_model_and_holds_no_secret() {
    OpenAiAddress address = OpenAiAddress.parse("openai:https://h/v1/#org/model#x");
    assertEquals("org/model#x", address.model());
    assertEquals("https://h/v1/chat/completions", address.endpoint("/chat/completions").toString());
    assertEquals("openai:https://h/v1#org/model#x", address.toString());
    for (String bad :
        new String[] {
          "openai:http://h/v1", "openai:http://h/v1#", "#m", "openai:ftp://h#m", "openai:h:80#m",
          "openai:http://me:hunter2@h/v1#m", "openai:http://h/v1?key=hunter2#m", "openai:http:// #m"
        }) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> OpenAiAddress.parse(bad), bad);
      assertFalse(e.getMessage().contains("hunter2"));
    }
  }
}
