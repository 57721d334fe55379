package rubricem.crash;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.Tool;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.port.ToolRequest;

/** Finds one passage for each query. */
class SoakTool implements Tool {
  @Override
  public String name() {
    return "local_search";
  }

  @Override
  public String description() {
    return "searches";
  }

  @Override
  public CompletionStage<ToolOutcome> call(ToolRequest request) {
    int n = Integer.parseInt(request.call().query().substring(1));
    Passage passage =
        new Passage(
            "facts.txt", "Facts", "file:///facts.txt", "", n * 10, n * 10 + 9, "Fact q" + n,
            1, Optional.empty());
    return CompletableFuture.completedStage(
        new ToolOutcome.Found(List.of(passage), new Searched(1, 1, List.of()), List.of()));
  }
}
