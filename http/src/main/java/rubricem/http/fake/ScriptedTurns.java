package rubricem.http.fake;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A script in the format of {@code scripted:FILE}: JSON Lines, one turn or failure a line. A
 * request gets the turn that its history has come to, so that a repeated request gets the same turn
 * and episodes do not take each other's lines; only failures are used up, one a request. After the
 * last line it answers nothing.
 */
public final class ScriptedTurns implements FakeScript {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private sealed interface Line {
    Optional<Pattern> match();

    record Text(String text, Duration delay, Optional<Pattern> match) implements Line {}

    record Failure(String kind, Duration delay, Optional<Pattern> match) implements Line {}
  }

  private record Place(String question, int turn) {}

  private final List<Line> lines;
  private final ConcurrentHashMap<Place, Integer> failuresTaken = new ConcurrentHashMap<>();

  private ScriptedTurns(List<Line> lines) {
    this.lines = lines;
  }

  /** @throws IllegalArgumentException names the first line that cannot be read, and why */
  public static ScriptedTurns parse(String jsonLines) {
    List<Line> lines = new ArrayList<>();
    int number = 0;
    for (String line : jsonLines.split("\\R")) {
      number++;
      if (!line.isBlank()) {
        lines.add(parseLine(line, number));
      }
    }
    return new ScriptedTurns(List.copyOf(lines));
  }

  private static Line parseLine(String line, int number) {
    try {
      JsonNode node = MAPPER.readTree(line);
      Optional<Pattern> match =
          node.path("match").isTextual()
              ? Optional.of(Pattern.compile(node.path("match").textValue()))
              : Optional.empty();
      Duration delay = Duration.ofMillis(node.path("delay_ms").asLong(0));
      if (node.path("error").isTextual()) {
        return new Line.Failure(node.path("error").textValue(), delay, match);
      }
      if (!node.path("text").isTextual()) {
        throw new IllegalArgumentException(
            "line " + number + " of the script has neither \"text\" nor \"error\"");
      }
      return new Line.Text(node.path("text").textValue(), delay, match);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("line " + number + " of the script is no JSON object", e);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "\"match\" in line " + number + " of the script is no regular expression", e);
    }
  }

  @Override
  public FakeBehaviour behaviour(RecordedRequest request) {
    List<String> asked = request.texts("user");
    String question = asked.isEmpty() ? "" : asked.getFirst();
    int replies = asked.size() + request.texts("tool").size() - 1;
    int turn = Math.max(request.texts("assistant").size(), replies);
    List<Line> mine =
        lines.stream()
            .filter(l -> l.match().map(p -> p.matcher(question).find()).orElse(true))
            .toList();
    int at = startOf(turn, mine);
    int failures = 0;
    while (at + failures < mine.size() && mine.get(at + failures) instanceof Line.Failure) {
      failures++;
    }
    int taken = failures == 0 ? 0 : take(new Place(question, turn), failures);
    return at + taken < mine.size()
        ? behaviour(mine.get(at + taken))
        : FakeBehaviour.says("");
  }

  /** Past the {@code turn}-th text. */
  private static int startOf(int turn, List<Line> lines) {
    int at = 0;
    for (int texts = 0; texts < turn && at < lines.size(); at++) {
      texts += lines.get(at) instanceof Line.Text ? 1 : 0;
    }
    return at;
  }

  private int take(Place place, int failures) {
    int after = failuresTaken.merge(place, 1, (a, b) -> Math.min(a + b, failures + 1));
    return after - 1;
  }

  private static FakeBehaviour behaviour(Line line) {
    FakeBehaviour behaviour =
        switch (line) {
          case Line.Text text -> FakeBehaviour.says(text.text());
          case Line.Failure failure -> failure(failure.kind());
        };
    Duration delay =
        switch (line) {
          case Line.Text text -> text.delay();
          case Line.Failure failure -> failure.delay();
        };
    return delay.isZero() ? behaviour : new FakeBehaviour.Delay(delay, behaviour);
  }

  private static FakeBehaviour failure(String kind) {
    return switch (kind) {
      case "timeout" -> FakeBehaviour.NEVER_ANSWERS;
      case "stalled" -> FakeBehaviour.stallsAfter(3);
      case "connect" -> new FakeBehaviour.Drop();
      case "protocol" -> FakeBehaviour.endsAfter(3);
      case "rate_limit" -> FakeBehaviour.rateLimited(Optional.empty());
      case "server_error" -> FakeBehaviour.unavailable();
      case "auth" -> FakeBehaviour.unauthorizedEchoingKey();
      case "context_too_long" -> FakeBehaviour.page(
          400, "{\"error\":{\"message\":\"too long\",\"code\":\"context_length_exceeded\"}}");
      default -> FakeBehaviour.page(500, "{\"error\":{\"message\":\"scripted failure\"}}");
    };
  }
}
