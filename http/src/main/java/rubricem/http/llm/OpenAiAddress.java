package rubricem.http.llm;

import java.net.URI;

/**
 * Where a Chat Completions server is and which of its models is meant: {@code BASE_URL#MODEL}. It
 * holds no secret: a URL that carries a password or a query is refused.
 */
public record OpenAiAddress(URI base, String model) {
  /** @param spec with or without the leading {@code openai:} */
  public static OpenAiAddress parse(String spec) {
    String rest = spec.replaceFirst("^(openai|vllm):", "");
    int hash = rest.indexOf('#');
    if (hash <= 0 || hash == rest.length() - 1) {
      throw new IllegalArgumentException(
          "a policy at a model server is written openai:BASE_URL#MODEL, for example"
              + " openai:http://127.0.0.1:8000/v1#my-model");
    }
    URI base;
    try {
      base = URI.create(rest.substring(0, hash).replaceFirst("/+$", ""));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the base URL of the model server cannot be read");
    }
    boolean web = "http".equalsIgnoreCase(base.getScheme())
        || "https".equalsIgnoreCase(base.getScheme());
    if (!web || base.getHost() == null) {
      throw new IllegalArgumentException(
          "the base URL of a model server starts with http:// or https:// and names a host");
    }
    if (base.getRawUserInfo() != null || base.getRawQuery() != null) {
      throw new IllegalArgumentException(
          "the base URL of a model server may hold no password and no query;"
              + " the key comes from OPENAI_API_KEY");
    }
    return new OpenAiAddress(base, rest.substring(hash + 1));
  }

  URI endpoint(String path) {
    return URI.create(base + path);
  }

  /** Scheme, host and port: what a person looks at when nothing answers there. */
  static String server(URI uri) {
    return uri.getScheme() + "://" + uri.getRawAuthority();
  }

  @Override
  public String toString() {
    return "openai:" + base + "#" + model;
  }
}
