package rubricem.app.cli;

import rubricem.http.llm.Secret;

/** Keys of outside services. They come from the environment and from nowhere else. */
final class Keys {
  private Keys() {}

  static Secret openai() {
    String key = System.getenv("OPENAI_API_KEY");
    return key == null || key.isBlank() ? Secret.NONE : new Secret(key.strip());
  }
}
