package rubricem.http.server.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Policies as models: told apart, found again, and nothing of where they are is shown. */
class ModelNamesTest {
  private static final List<String> POLICIES =
      List.of(
          "extractive", "scripted:/home/ann/day.jsonl", "scripted:C:\\plays\\night shift.json",
          "scripted:/other/day.jsonl", "local:/runs/a/step-000010/",
          "openai:http://10.0.0.7:8000/v1#org/model.v2", "scripted:relative#1.jsonl");

  @Test
  void names_tell_policies_of_one_kind_apart() {
    ModelNames names = new ModelNames(POLICIES);
    assertEquals(
        List.of(
            "rubricem", "rubricem-extractive", "rubricem-scripted-day",
            "rubricem-scripted-night-shift", "rubricem-scripted-day-2",
            "rubricem-local-step-000010", "rubricem-org-model.v2",
            "rubricem-scripted-relative-1"),
        names.all());
    for (int i = 0; i < POLICIES.size(); i++) {
      String name = names.all().get(i + 1);
      assertEquals(POLICIES.get(i), names.policy(name).orElseThrow());
      assertEquals(name, names.of(POLICIES.get(i)));
    }
  }

  @Test
  void what_is_shown_of_a_policy_has_no_folder_and_no_host() {
    ModelNames names = new ModelNames(POLICIES);
    assertEquals(
        List.of(
            "extractive", "extractive", "scripted:day.jsonl", "scripted:night shift.json",
            "scripted:day.jsonl", "local:step-000010", "openai:org/model.v2",
            "scripted:relative#1.jsonl"),
        names.all().stream().map(names::shown).toList());
  }
}
