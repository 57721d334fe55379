package rubricem.http.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;

/** Builds answers, all of them with the headers that every answer carries. */
public final class Answers {
  private static final ContentType.WithFixedCharset PROBLEM =
      MediaTypes.applicationWithFixedCharset(
              "problem+json", org.apache.pekko.http.javadsl.model.HttpCharsets.UTF_8)
          .toContentType();

  private Answers() {}

  public static HttpResponse json(int status, ObjectMapper mapper, Object value) {
    try {
      return bytes(status, ContentTypes.APPLICATION_JSON, mapper.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer cannot be written as JSON", e);
    }
  }

  /** An answer that nobody keeps and no browser takes for something else. */
  public static HttpResponse bytes(int status, ContentType type, byte[] body) {
    return with(
        HttpResponse.create()
            .withStatus(StatusCodes.get(status))
            .withEntity(HttpEntities.create(type, body)),
        Map.of(
            "Cache-Control", "no-store",
            "X-Content-Type-Options", "nosniff",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Referrer-Policy", "no-referrer"));
  }

  public static HttpResponse with(HttpResponse response, Map<String, String> headers) {
    HttpResponse with = response;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      RawHeader raw = RawHeader.create(header.getKey(), header.getValue());
      with = with.removeHeader(header.getKey()).addHeader(raw);
    }
    return with;
  }

  public static HttpResponse problem(Problem problem) {
    byte[] body = problem.json().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return with(bytes(problem.status(), PROBLEM, body), problem.headers());
  }
}
