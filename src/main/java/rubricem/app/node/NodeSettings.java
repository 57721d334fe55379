package rubricem.app.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import rubricem.actors.call.RetrySchedule;
import rubricem.actors.episode.EpisodeSettings;
import rubricem.actors.extractive.ExtractiveSettings;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.model.Precision;
import rubricem.gpu.policy.LocalSettings;
import rubricem.http.llm.OpenAiSettings;
import rubricem.persistence.corpus.CorpusSettings;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.report.SupportSettings;

/** The section {@code rubricem} of the configuration, read once and checked. */
public record NodeSettings(
    Path dataDir,
    DiskRoom room,
    EpisodeLimits limits,
    int questionCharsMax,
    EpisodeSettings episode,
    CorpusSettings corpus,
    VectorWait vectorWait,
    int vectorsKept,
    SupportSettings citations,
    ExtractiveSettings extractive,
    OpenAiSettings openai,
    LocalSettings generation,
    LearnerOptions learner) {

  /**
   * How a command waits for vectors before it searches.
   *
   * @param passages where more are pending it does not wait at all: they would not be there in time
   */
  public record VectorWait(Duration longest, int passages) {}

  /** Raised whenever fields of the index change their meaning. */
  private static final int INDEX_FORMAT = 2;

  public static NodeSettings of(Config root) {
    Config c = root.getConfig("rubricem");
    return new NodeSettings(
        folder(c),
        new DiskRoom(c.getLong("storage.room-bytes-min")),
        limits(c.getConfig("episode.limits")),
        c.getInt("episode.question-chars-max"),
        episode(c.getConfig("episode")),
        corpus(c.getConfig("corpus")),
        new VectorWait(
            c.getDuration("corpus.vector-wait.longest"), c.getInt("corpus.vector-wait.passages")),
        c.getInt("embedding.vectors-kept"),
        new SupportSettings(
            c.getInt("citations.claims-max"), c.getDuration("citations.timeout")),
        extractive(c.getConfig("extractive")),
        openai(c.getConfig("openai")),
        generation(c.getConfig("generation")),
        LearnerConfig.options(root));
  }

  private static Path folder(Config c) {
    String name = c.getString("data-dir");
    if (name.isBlank()) {
      throw new ConfigException.BadValue("rubricem.data-dir", "it is empty; name a folder");
    }
    return Path.of(name).toAbsolutePath().normalize();
  }

  /**
   * Where the index lives. Its format is part of the name: another one is not misread but made anew
   * from the documents.
   */
  public Path corpusFolder() {
    return dataDir.resolve("corpus").resolve("format-" + INDEX_FORMAT);
  }

  /** Where training runs are written and read. */
  public Path runsFolder() {
    return dataDir.resolve("runs");
  }

  private static EpisodeLimits limits(Config c) {
    return new EpisodeLimits(
        c.getInt("tool-calls"), c.getLong("seconds"), c.getLong("tokens"),
        c.getDouble("cost-usd"));
  }

  private static EpisodeSettings episode(Config c) {
    return new EpisodeSettings(
        retries(c.getConfig("policy-retries")),
        retries(c.getConfig("unreachable-retries")),
        retries(c.getConfig("final-policy-retries")),
        retries(c.getConfig("tool-retries")),
        c.getInt("turns-beyond-tool-calls"),
        c.getInt("served-max"),
        c.getInt("violations-in-a-row"),
        c.getInt("final-turns-max"),
        c.getDouble("finish-reserve"),
        c.getDuration("finish-reserve-max"),
        c.getDuration("grace"),
        c.getDuration("policy-timeout"),
        c.getDuration("tool-timeout"),
        c.getInt("max-tokens"),
        c.getInt("prompt-chars-max"),
        c.getInt("unreadable-named"));
  }

  private static RetrySchedule retries(Config c) {
    return new RetrySchedule(
        c.getInt("attempts"), c.getDuration("first"), c.getDuration("longest"),
        c.getDuration("asked-max"));
  }

  private static CorpusSettings corpus(Config c) {
    return new CorpusSettings(
        c.getInt("files-max"), c.getLong("file-bytes-max"), c.getInt("text-chars-max"),
        c.getDuration("read-timeout"), c.getInt("passage-words"), c.getDuration("commit-every"),
        c.getInt("embed-batch"), c.getInt("candidates"), c.getDuration("query-wait"),
        c.getInt("index-buffer-mb"));
  }

  private static ExtractiveSettings extractive(Config c) {
    return new ExtractiveSettings(
        c.getInt("searches-max"), c.getInt("hits"), c.getInt("passages-cited"),
        c.getInt("sentences-each"), c.getDuration("embed-wait"));
  }

  private static OpenAiSettings openai(Config c) {
    return new OpenAiSettings(
        c.getEnum(OpenAiSettings.Dialect.class, "dialect"),
        c.getBoolean("streaming"),
        List.copyOf(c.getStringList("stop")),
        c.getBoolean("include-stop-in-output"),
        c.getEnum(OpenAiSettings.MaxTokensField.class, "max-tokens-field"),
        c.getBoolean("replay-reasoning"),
        new OpenAiSettings.Sampling(
            number(c, "temperature"), number(c, "top-p"), c.getBoolean("send-seed")),
        new OpenAiSettings.Timeouts(
            c.getDuration("timeouts.connect"), c.getDuration("timeouts.first-byte"),
            c.getDuration("timeouts.idle")),
        new OpenAiSettings.Bounds(
            c.getInt("bounds.response-bytes"), c.getInt("bounds.event-chars"),
            c.getInt("bounds.error-bytes"), c.getInt("bounds.in-flight"),
            c.getDuration("bounds.retry-after")),
        new OpenAiSettings.Prices(
            c.getDouble("prices.prompt-usd"), c.getDouble("prices.completion-usd")),
        new OpenAiSettings.Breaking(
            c.getInt("breaker.failures"), c.getDuration("breaker.open-for")));
  }

  private static LocalSettings generation(Config c) {
    return new LocalSettings(
        device(c.getString("device")), c.getEnum(Precision.class, "precision"), c.getInt("workers"),
        c.getInt("threads"), c.getInt("slots"), c.getInt("queue-max"), c.getInt("context"),
        c.getLong("cache-tokens"), c.getInt("prompt-chunk"), c.getLong("prefix-tokens"),
        c.getDouble("temperature"), c.getInt("top-k"), c.getDouble("top-p"),
        c.getLong("remembered-tokens"));
  }

  private static DeviceName device(String name) {
    try {
      return DeviceName.parse(name);
    } catch (IllegalArgumentException e) {
      throw new ConfigException.BadValue(
          "rubricem.generation.device", String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Double> number(Config c, String key) {
    return c.getString(key).isBlank() ? Optional.empty() : Optional.of(c.getDouble(key));
  }
}
