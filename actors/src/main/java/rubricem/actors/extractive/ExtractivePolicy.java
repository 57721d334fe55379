package rubricem.actors.extractive;
import java.util.concurrent.*;
import rubricem.protocol.port.*;
public final class ExtractivePolicy implements PolicyModel {
  public ExtractivePolicy(ExtractiveSettings s, CompletionStage<Embedder> e, Executor x) {}
  public String spec() { return "extractive"; }
  public CompletionStage<PolicyOutcome> generate(PolicyRequest r, GenerationWatcher w) { throw new IllegalStateException("stub"); }
}
