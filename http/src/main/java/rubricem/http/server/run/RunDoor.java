package rubricem.http.server.run;

import static org.apache.pekko.http.javadsl.model.HttpMethods.GET;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.Endpoint;
import rubricem.http.server.Exchange;
import rubricem.http.server.FrontDoor;
import rubricem.http.server.Problem;
import rubricem.protocol.run.RubricBanks;
import rubricem.protocol.run.RunName;
import rubricem.protocol.run.TrainingRuns;
import rubricem.protocol.run.TrainingRuns.Steps;

/**
 * Training runs and their rubric banks, for reading only: {@code /v1/runs} and {@code /v1/bank}.
 */
public final class RunDoor implements FrontDoor {
  private static final String ALL = "/v1/runs";

  /** One screen of a history. */
  private static final int LIMIT = 20;

  private static final int LIMIT_MAX = 200;

  /** Enough for a curve; five hundred steps are half a megabyte. */
  private static final int STEPS = 100;

  private static final int STEPS_MAX = 500;

  /** The questions of a bank are short, and the whole address may have 4,096 characters. */
  private static final int QUERY_CHARS_MAX = 1_000;

  private static final int ENTRIES = 10;
  private static final int ENTRIES_MAX = 100;

  private final Edge edge;
  private final TrainingRuns runs;
  private final RubricBanks banks;

  public RunDoor(Edge edge, TrainingRuns runs, RubricBanks banks) {
    this.edge = edge;
    this.runs = runs;
    this.banks = banks;
  }

  @Override
  public boolean knowsItsParameters() {
    return true;
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.of(GET, ALL, this::list).reading("limit", "cursor"),
        Endpoint.of(GET, ALL + "/{run}", this::show).reading("after_step", "limit")
            .answering(200, 404),
        Endpoint.of(GET, "/v1/bank/{run}", this::bank).reading("query", "k")
            .answering(200, 404));
  }

  private CompletionStage<HttpResponse> list(Exchange exchange) {
    TrainingRuns.Query query =
        new TrainingRuns.Query(
            exchange.query("cursor").map(RunAnswer::place),
            (int) number(exchange, "limit", 1, LIMIT_MAX).orElse((long) LIMIT).longValue());
    return runs.page(query).thenApply(page -> json(RunAnswer.Page.of(page)));
  }

  private CompletionStage<HttpResponse> show(Exchange exchange) {
    RunName name = name(exchange);
    return runs.run(name, steps(exchange))
        .thenApply(run -> json(RunAnswer.One.of(run.orElseThrow(RunDoor::noRun))));
  }

  private static Steps steps(Exchange exchange) {
    return new Steps(
        number(exchange, "after_step", 0, Long.MAX_VALUE).orElse(-1L),
        (int) number(exchange, "limit", 1, STEPS_MAX).orElse((long) STEPS).longValue());
  }

  private CompletionStage<HttpResponse> bank(Exchange exchange) {
    RunName name = name(exchange);
    String query = exchange.query("query").orElse("");
    boolean readable =
        !query.isBlank() && query.codePointCount(0, query.length()) <= QUERY_CHARS_MAX
            && query.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t');
    if (!readable) {
      throw wrong("query takes 1 to " + QUERY_CHARS_MAX + " characters of text.");
    }
    int k = (int) number(exchange, "k", 1, ENTRIES_MAX).orElse((long) ENTRIES).longValue();
    return runs.run(name, new Steps(Long.MAX_VALUE, 1))
        .thenCompose(
            run -> {
              run.orElseThrow(RunDoor::noRun);
              return banks.search(name, query, k);
            })
        .thenApply(
            found ->
                json(
                    new RunAnswer.Bank(
                        name,
                        found.orElseThrow(
                            () ->
                                Problem.of(
                                        Problem.Kind.NO_BANK,
                                        "Run " + name + " stores no reflections, so there is"
                                            + " nothing to look up.")
                                    .refusal()))));
  }

  private HttpResponse json(Object value) {
    return Answers.json(200, edge.ports().json(), value);
  }

  /** What can be no name is no run either. */
  private static RunName name(Exchange exchange) {
    return RunName.parse(exchange.path("run")).orElseThrow(RunDoor::noRun);
  }

  private static Problem.Refusal noRun() {
    return Problem.of(Problem.Kind.NO_RUN, "GET /v1/runs lists the runs of this server.")
        .refusal();
  }

  private static Optional<Long> number(Exchange exchange, String name, long min, long max) {
    Optional<String> text = exchange.query(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      long number = Long.parseLong(text.get());
      if (number >= min && number <= max) {
        return Optional.of(number);
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw wrong(
        name + " takes " + (max == Long.MAX_VALUE ? "a whole number from " + min : min + " to " + max)
            + ".");
  }

  static Problem.Refusal wrong(String detail) {
    return Problem.of(Problem.Kind.INVALID_PARAMETER, detail).refusal();
  }
}
