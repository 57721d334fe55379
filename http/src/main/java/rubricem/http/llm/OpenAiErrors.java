package rubricem.http.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import rubricem.protocol.port.CallFailure;

/**
 * Says what a refusal of a Chat Completions server means: whether a repeat can help, and in one
 * sentence why not. It understands the error bodies in use (nested, flat, a bare string, FastAPI's
 * {@code detail}) and pages that are no JSON at all. Everything it quotes is scrubbed of the key
 * and short.
 */
final class OpenAiErrors {
  private static final int QUOTE_MAX = 300;
  private static final Pattern TOO_LONG =
      Pattern.compile(
          "context.{0,20}(length|window|size)|maximum.{0,20}context|prompt.{0,30}too long"
              + "|too many (input )?tokens|reduce the length");
  private static final Pattern FILTERED =
      Pattern.compile("content_filter|content_policy|responsibleai|safety system");

  /** What an error body says, whatever its shape. */
  record ErrorBody(String message, String type, String code, String param) {
    static final ErrorBody EMPTY = new ErrorBody("", "", "", "");

    private String all() {
      return (message + " " + type + " " + code).toLowerCase(Locale.ROOT);
    }
  }

  private final Secret key;

  OpenAiErrors(Secret key) {
    this.key = key;
  }

  static Optional<ErrorBody> errorIn(ObjectNode root) {
    JsonNode error = root.path("error");
    if (error.isTextual()) {
      return Optional.of(new ErrorBody(error.textValue(), "", root.path("code").asText(""), ""));
    }
    if (error.isObject()) {
      return Optional.of(fields(error));
    }
    if ("error".equals(root.path("object").asText())) {
      return Optional.of(fields(root));
    }
    return Optional.empty();
  }

  /** The error of a response with an error status: there, any body is one. */
  static ErrorBody read(String body) {
    Optional<ObjectNode> root = JsonText.object(body);
    if (root.isPresent()) {
      return errorIn(root.get()).orElseGet(() -> fields(root.get()));
    }
    return new ErrorBody(plainText(body), "", "", "");
  }

  private static ErrorBody fields(JsonNode node) {
    JsonNode detail = node.path("detail");
    String message = node.path("message").asText("");
    return new ErrorBody(
        message.isEmpty() && !detail.isMissingNode()
            ? detail.isTextual() ? detail.textValue() : detail.toString()
            : message,
        node.path("type").asText(""),
        node.path("code").asText(""),
        node.path("param").asText(""));
  }

  private static String plainText(String body) {
    boolean page = body.stripLeading().startsWith("<");
    return page ? "an HTML page titled \"" + title(body) + "\"" : body;
  }

  private static String title(String page) {
    String lower = page.toLowerCase(Locale.ROOT);
    int from = lower.indexOf("<title>");
    int to = from < 0 ? -1 : lower.indexOf("</title>", from);
    return to < 0 ? "" : page.substring(from + "<title>".length(), to).strip();
  }

  /** An error that a stream delivers after its start; its code may be an HTTP status. */
  CallFailure inStream(ErrorBody error) {
    int status = error.code().matches("[1-5]\\d\\d") ? Integer.parseInt(error.code()) : 0;
    String all = error.all();
    if (status == 0) {
      status = all.contains("rate_limit") ? 429 : all.contains("authentication") ? 401
          : all.contains("invalid_request") || all.contains("badrequest") ? 400 : 500;
    }
    return failure(status, error, Optional.empty(), false);
  }

  /**
   * @param wait what the server asked us to wait
   * @param finalAnswer the server says that a repeat is pointless
   */
  CallFailure failure(int status, ErrorBody error, Optional<Duration> wait, boolean finalAnswer) {
    CallFailure failure = byStatus(status, error, wait);
    return finalAnswer && failure instanceof CallFailure.Transient
        ? new CallFailure.Terminal(failure.kind(), failure.message())
        : failure;
  }

  private CallFailure byStatus(int status, ErrorBody error, Optional<Duration> wait) {
    String said = said(status, error);
    if (status == 401 || status == 403) {
      return new CallFailure.Terminal(
          "auth", "the model server refused the key; check OPENAI_API_KEY" + said);
    }
    if (status == 402 || error.all().contains("insufficient_quota")) {
      return new CallFailure.Terminal("quota", "the account's quota is used up" + said);
    }
    if (status == 429) {
      return new CallFailure.Transient(
          "rate_limit", "the model server asks us to slow down" + said, wait);
    }
    if (status == 408) {
      return new CallFailure.Transient("timeout", "the model server gave up waiting" + said, wait);
    }
    if (status >= 500 || status == 409 || status == 425) {
      return TOO_LONG.matcher(error.all()).find()
          ? tooLong(said)
          : new CallFailure.Transient("server_error", "the model server failed" + said, wait);
    }
    return refusal(status, error, said);
  }

  private static CallFailure refusal(int status, ErrorBody error, String said) {
    if (FILTERED.matcher(error.all()).find()) {
      return new CallFailure.Terminal("filtered", "the service refused the content" + said);
    }
    if (TOO_LONG.matcher(error.all()).find()) {
      return tooLong(said);
    }
    if (status >= 300 && status < 400) {
      return new CallFailure.Terminal(
          "bad_request", "the model server redirects, which is not followed;"
              + " put the final address into the policy" + said);
    }
    return new CallFailure.Terminal(
        "bad_request",
        (status == 404
            ? "the model server knows no such model or address; check BASE_URL#MODEL"
            : "the model server refused the request") + said);
  }

  private static CallFailure tooLong(String said) {
    return new CallFailure.Terminal(
        "context_too_long", "the history is longer than the model can read" + said);
  }

  private String said(int status, ErrorBody error) {
    String quote = quote(error.message());
    return " (HTTP " + status + (quote.isEmpty() ? "" : ": " + quote) + ")";
  }

  /** Outside text on one line, without the key, without control characters, short. */
  String quote(String text) {
    String line = key.scrub(text).replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    return line.length() > QUOTE_MAX ? line.substring(0, QUOTE_MAX) + "…" : line;
  }
}
