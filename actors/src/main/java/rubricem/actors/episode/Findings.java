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
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.scaffold.OutsideText;

/**
 * What came back from outside as it is recorded: bounded, and with an id for each passage; a
 * passage found again keeps the id it has.
 */
final class Findings {
  /**
   * Characters of one turn and of the thinking beside it. The largest output of a model is a third
   * of this, and the embedded database stores 1 MiB a write, in which a call stands twice.
   */
  static final int TURN_CHARS_MAX = 100_000;

  static final int THINKING_CHARS_MAX = 50_000;

  /** Characters of what one tool call found, frames included; for the same reason. */
  static final int FOUND_CHARS_MAX = 250_000;

  /** Id, score and field names of a stored passage, roughly. */
  private static final int PASSAGE_FRAME_CHARS = 300;

  private static final int NOTES_MAX = 20;
  private static final int NOTE_CHARS_MAX = 1_000;

  private Findings() {}

  /** A turn beyond all bounds was cut, by us if not by the service. */
  static EpisodeEvent generated(Steps steps, PendingCall call, PolicyOutcome.Generated g) {
    boolean tooLong = g.text().length() > TURN_CHARS_MAX;
    return new EpisodeEvent.PolicyTurnGenerated(
        steps.now(), call.callId(), clip(g.text(), TURN_CHARS_MAX),
        g.thinking().map(t -> clip(t, THINKING_CHARS_MAX)),
        tooLong ? FinishReason.LENGTH : g.finish(), g.usage(), g.modelVersion());
  }

  static String clip(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
  }

  static EpisodeEvent completed(Steps steps, PendingCall.OfTool call, ToolOutcome.Found found) {
    EpisodeState state = steps.state();
    Map<String, String> ids = new HashMap<>();
    state.evidence().forEach(s -> ids.put(s.passage().key(), s.id()));
    List<Snippet> fresh = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    List<String> suspicions = new ArrayList<>();
    long room = FOUND_CHARS_MAX;
    int leftOut = 0;
    for (Passage passage : found.passages()) {
      String id = ids.get(passage.key());
      if (id == null && size(passage) > room) {
        leftOut++;
        continue;
      }
      room -= id == null ? size(passage) : 0;
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
        notes(found, leftOut), List.copyOf(suspicions));
  }

  private static long size(Passage p) {
    return PASSAGE_FRAME_CHARS + p.text().length() + p.title().length() + p.url().length()
        + p.document().length() + p.position().length() + p.note().map(String::length).orElse(0);
  }

  private static List<String> notes(ToolOutcome.Found found, int leftOut) {
    List<String> notes = new ArrayList<>();
    found.notes().stream().limit(leftOut > 0 ? NOTES_MAX - 1 : NOTES_MAX)
        .forEach(n -> notes.add(clip(n, NOTE_CHARS_MAX)));
    if (leftOut > 0) {
      notes.add(leftOut + " passages were left out: together they are too long for one result.");
    }
    return List.copyOf(notes);
  }
}
