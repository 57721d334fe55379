package rubricem.app.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import rubricem.app.node.NodePolicies;
import rubricem.app.node.NodeSettings;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.scaffold.FormatLabel;

/** The options that shape an episode. */
public final class AskOptions {
  @Option(
      names = "--corpus", paramLabel = "PATH",
      description = "A folder or file to search; repeatable. Default: what `index` has read.")
  List<Path> corpus = List.of();

  @Option(
      names = "--policy", paramLabel = "SPEC",
      description = "extractive (default), openai:BASE_URL#MODEL, local:CHECKPOINT_DIR or scripted:FILE.")
  private String policy;

  @Option(
      names = "--format", paramLabel = "FORMAT",
      description = "exact_answer, short_form or long_form (default).")
  private String format = "long_form";

  @Option(names = "--max-tool-calls", paramLabel = "N", description = "Most searches. Default: 10")
  private Integer maxToolCalls;

  @Option(names = "--max-seconds", paramLabel = "N", description = "Most seconds. Default: 600")
  private Long maxSeconds;

  @Option(names = "--max-tokens", paramLabel = "N", description = "Most tokens, read and written. Default: 1000000")
  private Long maxTokens;

  @Option(names = "--max-cost-usd", paramLabel = "X", description = "Most US dollars. Default: no limit")
  private Double maxCostUsd;

  @Option(names = "--seed", paramLabel = "N", description = "Makes chance repeatable, where the policy draws at random.")
  private long seed;

  String policy(NodeSettings settings) {
    String spec = policy == null ? NodePolicies.EXTRACTIVE : policy;
    NodePolicies.problem(spec, settings.generation()).ifPresent(problem -> {
      throw Failure.usage(problem);
    });
    return spec;
  }

  /** The policy the user named, if any. */
  Optional<String> namedPolicy(NodeSettings settings) {
    return policy == null ? Optional.empty() : Optional.of(policy(settings));
  }

  EpisodeRequest request(String question, List<Path> roots, NodeSettings settings) {
    EpisodeLimits base = settings.limits();
    EpisodeLimits limits =
        new EpisodeLimits(
            positive("--max-tool-calls", maxToolCalls == null ? base.toolCalls() : maxToolCalls)
                .intValue(),
            positive("--max-seconds", maxSeconds == null ? base.seconds() : maxSeconds)
                .longValue(),
            positive("--max-tokens", maxTokens == null ? base.tokens() : maxTokens).longValue(),
            maxCostUsd == null ? base.costUsd() : cost(maxCostUsd));
    return new EpisodeRequest(
        question, formatLabel(), policy(settings), List.of("corpus"),
        roots.stream().map(Path::toString).toList(), limits, seed, Map.of());
  }

  /** The same request over these folders. */
  static EpisodeRequest over(EpisodeRequest r, List<Path> roots) {
    return new EpisodeRequest(
        r.question(), r.format(), r.policy(), r.sources(),
        roots.stream().map(Path::toString).toList(), r.limits(), r.seed(), r.metadata());
  }

  private FormatLabel formatLabel() {
    return FormatLabel.parse(format)
        .orElseThrow(
            () ->
                Failure.usage(
                    "--format must be exact_answer, short_form or long_form, not \"" + format
                        + "\"."));
  }

  private static Number positive(String name, Number value) {
    if (value.longValue() < 1) {
      throw Failure.usage(name + " must be at least 1.");
    }
    return value;
  }

  private static double cost(double value) {
    if (!(value > 0)) {
      throw Failure.usage("--max-cost-usd must be more than 0.");
    }
    return value;
  }
}
