package rubricem.http.server.openai;

import java.util.Set;
import java.util.TreeSet;

/** The fields of a body that mean something here, for the description to be compared with. */
public final class OpenAiFields {
  private OpenAiFields() {}

  public static Set<String> chat() {
    return described(CreateFields.CHAT);
  }

  public static Set<String> response() {
    return described(CreateFields.RESPONSE);
  }

  private static Set<String> described(FieldTable table) {
    Set<String> names = new TreeSet<>();
    table.rules().stream()
        .filter(rule -> rule.use() != FieldRule.Use.UNUSED)
        .forEach(rule -> names.add(rule.name()));
    return names;
  }
}
