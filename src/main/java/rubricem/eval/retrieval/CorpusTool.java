package rubricem.eval.retrieval;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.scaffold.ToolCall;

/**
 * The local search as a bench needs it: the attributes {@code limit}, {@code document} and {@code
 * around}, and the key of each passage in its note. It is not the tool of an episode.
 */
final class CorpusTool {
  static final String NAME = "local_search";
  private static final int LIMIT = 8;
  private static final int LIMIT_MAX = 20;
  private static final Pattern KEY = Pattern.compile("(.+)#(\\d{1,9})-(\\d{1,9})");

  private CorpusTool() {}

  static CompletionStage<List<Passage>> call(Corpus corpus, ToolCall call) {
    Map<String, String> attributes = call.attributes();
    Matcher key = KEY.matcher(attributes.getOrDefault("around", ""));
    if (key.matches()) {
      List<Passage> around =
          corpus.passagesAround(
              key.group(1), Integer.parseInt(key.group(2)), Integer.parseInt(key.group(3)), 1);
      return CompletableFuture.completedFuture(around.stream().map(CorpusTool::keyed).toList());
    }
    int limit = Integer.parseInt(attributes.getOrDefault("limit", String.valueOf(LIMIT)));
    Corpus.Query query =
        new Corpus.Query(
            call.query(), Math.max(1, Math.min(limit, LIMIT_MAX)),
            attributes.getOrDefault("document", ""));
    return corpus.search(query).thenApply(
        hits -> hits.passages().stream().map(CorpusTool::keyed).toList());
  }

  private static Passage keyed(Passage p) {
    String note = "key: " + p.key() + p.note().map(n -> "; " + n).orElse("");
    return new Passage(
        p.document(), p.title(), p.url(), p.position(), p.from(), p.to(), p.text(), p.score(),
        Optional.of(note));
  }
}
