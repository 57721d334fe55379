package rubricem.http.server.research;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import rubricem.protocol.episode.EpisodeProgress;

/**
 * What one reader may be shown beside the facts: text as it is generated, stages, waits. Pieces of
 * one turn's text are put together while the reader is busy; what does not fit is dropped, oldest
 * first. It keeps a slow reader's memory small and holds nobody back.
 */
final class PassingNews {
  /** Pieces kept for a reader that is busy. */
  private static final int PIECES_MAX = 64;

  /** Characters of one piece of generated text. */
  private static final int TEXT_MAX = 8_192;

  private record Piece(String kind, String callId, StringBuilder text, ObjectNode json) {}

  private final Deque<Piece> pieces = new ArrayDeque<>();

  /** @return whether there is something new to show */
  synchronized boolean add(EpisodeProgress progress) {
    return switch (progress) {
      case EpisodeProgress.TextGenerated text -> addText(text.callId().value(), text.delta());
      case EpisodeProgress.TurnRestarted restarted ->
          add(
              "turn_restarted",
              json("call_id", restarted.callId().value()).put("reason", restarted.reason()));
      case EpisodeProgress.Waiting waiting ->
          add(
              "waiting",
              json("call_id", waiting.callId().value()).put("reason", waiting.reason())
                  .put("until", waiting.until().toString()));
      case EpisodeProgress.StageEntered entered ->
          add("stage_entered", json("stage", entered.stage().name().toLowerCase(
              java.util.Locale.ROOT)));
      case EpisodeProgress.EventStored stored -> false;
      case EpisodeProgress.WatchEnded ended -> false;
    };
  }

  private boolean addText(String callId, String delta) {
    Piece last = pieces.peekLast();
    boolean joins =
        last != null && last.kind().equals("text_generated") && last.callId().equals(callId)
            && last.text().length() + delta.length() <= TEXT_MAX;
    if (joins) {
      last.text().append(delta);
      return true;
    }
    return add(
        new Piece(
            "text_generated", callId, new StringBuilder(delta), json("call_id", callId)));
  }

  private boolean add(String kind, ObjectNode json) {
    return add(new Piece(kind, "", new StringBuilder(), json));
  }

  private boolean add(Piece piece) {
    if (pieces.size() >= PIECES_MAX) {
      pieces.removeFirst();
    }
    return pieces.add(piece);
  }

  private static ObjectNode json(String name, String value) {
    return JsonNodeFactory.instance.objectNode().put(name, value);
  }

  /** The frames of all that is kept, which is then forgotten; empty where nothing is. */
  synchronized Optional<String> take() {
    if (pieces.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder frames = new StringBuilder();
    for (Piece piece : pieces) {
      ObjectNode json =
          piece.kind().equals("text_generated")
              ? piece.json().put("text", piece.text().toString())
              : piece.json();
      frames.append(SseFrames.passing(piece.kind(), json.toString()));
    }
    pieces.clear();
    return Optional.of(frames.toString());
  }
}
