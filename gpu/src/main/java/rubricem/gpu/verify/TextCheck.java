package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import rubricem.gpu.text.ChatMessage;
import rubricem.gpu.text.ChatTemplate;
import rubricem.gpu.text.QwenTokenizer;

/** Texts and ids of the tokenizer, and rendered conversations: equal, or not ok. */
final class TextCheck {
  private static final List<String> TEMPLATE_KEYS =
      List.of(
          "name", "messages", "tools", "add_generation_prompt", "enable_thinking", "rendered");

  private final Places places;
  private final String stem;
  private final JsonNode document;

  TextCheck(Places places, String stem, JsonNode document) {
    this.places = places;
    this.stem = stem;
    this.document = document;
  }

  void tokenizer(Path file) throws IOException {
    try (QwenTokenizer tokenizer = QwenTokenizer.open(file)) {
      for (int i = 0; i < document.size(); i++) {
        JsonNode handed = document.get(i);
        String name = stem + "/" + i;
        int[] ids = Handed.ids(handed, "ids");
        boolean same = Arrays.equals(ids, tokenizer.encode(Handed.text(handed, "text")));
        places.checks().accept(Check.equal(name, "ids", same));
        if (handed.has("decoded_with_specials")) {
          String decoded = Handed.text(handed, "decoded_with_specials");
          places.checks().accept(
              Check.equal(name, "decoded_with_specials", decoded.equals(tokenizer.decode(ids))));
        }
      }
    }
  }

  void template() {
    for (int i = 0; i < document.size(); i++) {
      JsonNode handed = document.get(i);
      String name = stem + "/" + handed.path("name").asText(String.valueOf(i));
      try {
        List<String> others = Handed.others(handed, TEMPLATE_KEYS);
        if (!others.isEmpty()) {
          throw new HandedProblem("the options " + others + " are not known here");
        }
        boolean same = Handed.text(handed, "rendered").equals(render(handed));
        places.checks().accept(Check.equal(name, "rendered", same));
      } catch (RuntimeException e) {
        places.checks().accept(Verification.failed(name, "rendered", e));
      }
    }
  }

  private static String render(JsonNode handed) {
    List<JsonNode> tools = new ArrayList<>();
    handed.path("tools").forEach(tools::add);
    return ChatTemplate.render(
        ChatMessage.list(Handed.list(handed, "messages")), tools,
        handed.path("add_generation_prompt").asBoolean(),
        handed.path("enable_thinking").asBoolean(true));
  }
}
