package rubricem.gpu.policy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import rubricem.gpu.generate.Finish;
import rubricem.gpu.generate.Generation;
import rubricem.gpu.generate.GenerationRequest;
import rubricem.gpu.generate.Generator;
import rubricem.gpu.generate.Sampling;
import rubricem.gpu.generate.TokenSink;
import rubricem.gpu.text.ChatMessage;
import rubricem.gpu.text.ChatTemplate;
import rubricem.gpu.text.QwenTokenizer;
import rubricem.gpu.text.StopMatcher;
import rubricem.gpu.text.TokenBytes;

/**
 * One text that a model wrote for a prompt, outside any episode.
 *
 * @param text without the token that ended it; up to and including the stop text
 * @param finish {@code stop_token}, {@code stop_text}, {@code max_tokens}, {@code cache_full},
 *     {@code cancelled} or {@code failed}
 * @param failure what went wrong, in a sentence
 */
public record LocalCompletion(
    String text, int[] ids, double[] sampledLogProbs, double[] policyLogProbs, String finish,
    Optional<String> failure, int promptTokens) {
  /**
   * What is asked for.
   *
   * @param prompt a message of a user, or with {@code raw} what is continued as it stands
   * @param ids the prompt as tokens; empty: the text is the prompt
   */
  public record Wanted(
      String prompt, int[] ids, boolean raw, boolean thinking, int maxTokens, double temperature,
      int topK, double topP, long seed, List<String> stop) {}

  /** Waits for all of them; sample i has the seed plus i. */
  public static List<LocalCompletion> of(LocalModel model, Wanted wanted, int samples) {
    int[] prompt = prompt(model, wanted);
    List<GenerationRequest> requests =
        IntStream.range(0, samples)
            .mapToObj(
                i ->
                    new GenerationRequest(
                        prompt, wanted.maxTokens(),
                        new Sampling(
                            wanted.temperature(), wanted.topK(), wanted.topP(),
                            wanted.seed() + i),
                        stopIds(model, wanted),
                        stops(model, wanted)))
            .toList();
    List<Generator.Ticket> tickets = model.generator().submit(requests);
    return tickets.stream()
        .map(t -> of(model, wanted, t.result().toCompletableFuture().join()))
        .toList();
  }

  private static Set<Integer> stopIds(LocalModel model, Wanted wanted) {
    return wanted.raw() || wanted.ids().length > 0 ? model.stopIds() : model.turnStopIds();
  }

  private static TokenSink stops(LocalModel model, Wanted wanted) {
    if (wanted.stop().isEmpty()) {
      return TokenSink.NONE;
    }
    TokenBytes bytes = model.tokenizer().bytes();
    StopMatcher matcher = new StopMatcher(wanted.stop());
    return id -> matcher.feed(bytes.of(id)).isPresent();
  }

  private static int[] prompt(LocalModel model, Wanted wanted) {
    if (wanted.ids().length > 0) {
      return wanted.ids();
    }
    String text =
        wanted.raw()
            ? wanted.prompt()
            : ChatTemplate.render(
                List.of(ChatMessage.user(OutsideTokens.harmless(wanted.prompt()))), List.of(),
                true, wanted.thinking());
    QwenTokenizer tokenizer = model.tokenizer();
    return (wanted.raw() ? tokenizer : tokenizer.conversing()).encode(text);
  }

  private static LocalCompletion of(LocalModel model, Wanted wanted, Generation g) {
    boolean ended = g.finish() instanceof Finish.StopToken;
    int[] written =
        java.util.Arrays.copyOf(g.ids(), g.ids().length - (ended ? 1 : 0));
    String text = model.readsText() ? model.tokenizer().decode(written) : "";
    return new LocalCompletion(
        g.finish() instanceof Finish.StopText ? cut(text, wanted.stop()) : text, g.ids(),
        g.sampledLogProbs(), g.policyLogProbs(), name(g.finish()),
        g.finish() instanceof Finish.Failed f ? Optional.of(f.message()) : Optional.empty(),
        g.promptTokens());
  }

  /** The last token may go on behind the stop. */
  private static String cut(String text, List<String> stops) {
    int end =
        stops.stream()
            .filter(text::contains)
            .mapToInt(stop -> text.indexOf(stop) + stop.length())
            .min()
            .orElse(text.length());
    return text.substring(0, end);
  }

  private static String name(Finish finish) {
    return switch (finish) {
      case Finish.StopToken f -> "stop_token";
      case Finish.StopText f -> "stop_text";
      case Finish.MaxTokens f -> "max_tokens";
      case Finish.CacheFull f -> "cache_full";
      case Finish.Cancelled f -> "cancelled";
      case Finish.Failed f -> "failed";
    };
  }
}
