package rubricem.protocol.episode;

import java.util.List;
import java.util.Map;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * What somebody asks for.
 *
 * @param question 1 to 32,768 characters
 * @param policy a policy specification such as {@code extractive}; never holds a key
 * @param sources {@code corpus}, {@code web}, {@code scholar}, {@code mcp:NAME}
 * @param corpus the folders and files that {@code corpus} means, as absolute paths
 * @param seed for policies that draw at random
 * @param metadata the asker's own words, kept and given back
 */
public record EpisodeRequest(
    String question,
    FormatLabel format,
    String policy,
    List<String> sources,
    List<String> corpus,
    EpisodeLimits limits,
    long seed,
    Map<String, String> metadata) {}
