package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** What a file of cases is about: told by its name, else by the keys it has. */
enum HandedKind {
  FORWARD("forward"),
  SUPERVISED("sft"),
  SURROGATE("ssgrpo"),
  ADAPTER("lora"),
  KL("kl"),
  TOKENIZER("tokenizer"),
  TEMPLATE("chat_template"),
  SEARCH("flat_search");

  private final String word;

  HandedKind(String word) {
    this.word = word;
  }

  /** As files are named. */
  String word() {
    return word;
  }

  static Optional<HandedKind> ofName(String stem) {
    for (HandedKind kind : values()) {
      String word = kind.word;
      if (stem.equals(word) || stem.matches(word + "[._-].*") || stem.matches(".*[._-]" + word)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  static Optional<HandedKind> ofContent(JsonNode content) {
    JsonNode first = content.isArray() ? content.path(0) : content;
    if (content.isArray()) {
      return first.has("rendered")
          ? Optional.of(TEMPLATE)
          : Optional.of(TOKENIZER).filter(k -> first.has("text") && first.has("ids"));
    }
    if (content.has("cases")) {
      return Optional.of(content.has("sft") ? ADAPTER : FORWARD);
    }
    if (content.has("groups")) {
      return Optional.of(SURROGATE);
    }
    if (content.has("rows")) {
      return Optional.of(SUPERVISED);
    }
    if (content.has("p") && content.has("q")) {
      return Optional.of(KL);
    }
    return Optional.of(SEARCH).filter(k -> content.has("k") && content.has("ids"));
  }
}
