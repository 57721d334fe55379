package rubricem.actors.episode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.PendingCall;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.scaffold.OutsideText;

/** Gives the passages a tool found their ids: a passage found again keeps the id it has. */
final class Findings {
  private Findings() {}

  static EpisodeEvent completed(Steps steps, PendingCall.OfTool call, ToolOutcome.Found found) {
    EpisodeState state = steps.state();
    Map<String, String> ids = new HashMap<>();
    state.evidence().forEach(s -> ids.put(s.passage().key(), s.id()));
    List<Snippet> fresh = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    List<String> suspicions = new ArrayList<>();
    for (Passage passage : found.passages()) {
      String id = ids.get(passage.key());
      if (id == null) {
        id = "S_" + (state.evidence().size() + fresh.size() + 1);
        ids.put(passage.key(), id);
        fresh.add(new Snippet(id, call.callId(), call.call().tool(), passage));
        for (String code : OutsideText.suspicions(passage.text())) {
          suspicions.add(id + ": " + code);
        }
      }
      if (!shown.contains(id)) {
        shown.add(id);
      }
    }
    return new EpisodeEvent.ToolCallCompleted(
        steps.now(), call.callId(), List.copyOf(fresh), List.copyOf(shown), found.searched(),
        found.notes(), List.copyOf(suspicions));
  }
}
