package rubricem.actors.episode;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.AnswerChecker;
import rubricem.protocol.port.EventLog;
import rubricem.protocol.port.PolicyCatalog;
import rubricem.protocol.port.Tool;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * Everything outside that an episode calls.
 *
 * @param toolsOf the tools a source brings, by the name of the source
 * @param corpus what is searchable now
 */
public record EpisodePorts(
    PolicyCatalog policies,
    Function<String, List<Tool>> toolsOf,
    AnswerChecker checker,
    EventLog log,
    Prompts prompts,
    Supplier<Searched> corpus,
    InstantSource clock) {

  /** A prompt with the reference that is stored. */
  public record Prompt(PromptRef ref, String text) {}

  /** The texts a policy is shown beside question and evidence. */
  public interface Prompts {
    /** The unified agent prompt, with the descriptions of {@code tools} put in. */
    Prompt system(List<Tool> tools);

    Prompt format(FormatLabel format);
  }

  /** The tools of {@code sources} by name. */
  Map<String, Tool> tools(List<String> sources) {
    Map<String, Tool> tools = new java.util.LinkedHashMap<>();
    sources.forEach(source -> toolsOf.apply(source).forEach(t -> tools.put(t.name(), t)));
    return tools;
  }
}
