package rubricem.actors.episode;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.AnswerChecker;
import rubricem.protocol.episode.EventLog;
import rubricem.protocol.port.PolicyCatalog;
import rubricem.protocol.port.Tool;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * Everything outside that an episode calls.
 *
 * @param toolsOf the tools of the sources a request names
 * @param corpus what is searchable now of the documents a request names
 */
public record EpisodePorts(
    PolicyCatalog policies,
    Function<EpisodeRequest, List<Tool>> toolsOf,
    AnswerChecker checker,
    EventLog log,
    Prompts prompts,
    Function<EpisodeRequest, Searched> corpus,
    InstantSource clock) {

  /** A prompt with the reference that is stored. */
  public record Prompt(PromptRef ref, String text) {}

  /** The texts a policy is shown beside question and evidence. */
  public interface Prompts {
    /** The unified agent prompt, with the descriptions of {@code tools} put in. */
    Prompt system(List<Tool> tools);

    Prompt format(FormatLabel format);
  }

  /** The tools of {@code request} by name, in the order of its sources. */
  Map<String, Tool> tools(EpisodeRequest request) {
    Map<String, Tool> tools = new LinkedHashMap<>();
    toolsOf.apply(request).forEach(t -> tools.put(t.name(), t));
    return tools;
  }
}
