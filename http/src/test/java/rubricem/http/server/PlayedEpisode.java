package rubricem.http.server;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.scaffold.ToolCall;

/** Writes the events of an episode that searched once and answered with citations. */
public final class PlayedEpisode {
  public static final String CLAIM = "Der Mond 🌕 hebt die Flut.";
  public static final String OTHER = "Twice a day it rises.";
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
  private static final String PLAN =
      "<think>I look it up.</think><structured_plan><deep_analysis>d</deep_analysis>"
          + "<rubric>r</rubric><research_plan>p</research_plan></structured_plan>"
          + "<call_tool name=\"local_search\">tides</call_tool>";

  private PlayedEpisode() {}

  /** All of it, at once. */
  public static void play(MemoryWorld world, EpisodeId id) {
    search(world, id);
    answer(
        world, id,
        "Über 🌊: <cite id=\"S_1\">" + CLAIM + "</cite> And **so** <cite id=\"S_2,S_1\">" + OTHER
            + "</cite>");
  }

  public static void search(MemoryWorld world, EpisodeId id) {
    world.turn(id, 1, PLAN);
    CallId call = CallId.of(id, 2);
    world.append(
        id,
        new EpisodeEvent.ToolCallRequested(
            AT, call, new ToolCall("local_search", "tides", Map.of())));
    List<Snippet> found =
        List.of(
            snippet(call, "S_1", "moon.txt", "file:///docs/moon%20(1).txt", CLAIM),
            snippet(call, "S_2", "day.txt", "", OTHER));
    world.append(
        id,
        new EpisodeEvent.ToolCallCompleted(
            AT, call, found, List.of("S_1", "S_2"), new Searched(2, 2, List.of()), List.of(),
            List.of()));
  }

  private static Snippet snippet(
      CallId call, String id, String document, String url, String text) {
    return new Snippet(
        id, call, "local_search",
        new Passage(document, document, url, "", 0, text.length(), text, 1, Optional.empty()));
  }

  public static void answer(MemoryWorld world, EpisodeId id, String answer) {
    world.answer(id, 3, answer);
  }

  public static void fail(MemoryWorld world, EpisodeId id) {
    world.append(
        id, new EpisodeEvent.EpisodeFailed(AT, "model_unreachable", "The model was away.", false));
  }
}
