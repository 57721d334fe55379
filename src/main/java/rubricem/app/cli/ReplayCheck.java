package rubricem.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.actors.episode.EpisodeRecheck.Checked;
import rubricem.actors.episode.EpisodeRecheck.Divergence;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;

/** What {@code replay --check} says. */
final class ReplayCheck {
  private static final int VALUE_COLUMNS = 90;

  private ReplayCheck() {}

  static String text(EpisodeId id, Checked checked) {
    return checked
        .divergence()
        .map(d -> diverged(id, d))
        .orElse(
            id + ": " + checked.events() + " events in " + checked.decisions()
                + " decisions, all as today's code decides them.\n");
  }

  private static String diverged(EpisodeId id, Divergence d) {
    StringBuilder text = new StringBuilder();
    text.append(id).append(": event ").append(d.event()).append(" is not what today's code ");
    text.append("decides").append(d.input().isBlank() ? "" : " on \"" + d.input() + "\"");
    text.append(".\n");
    text.append("  stored:  ").append(name(d.stored(), "nothing, the journal ends")).append('\n');
    text.append("  decided: ")
        .append(
            name(
                d.decided(),
                d.input().isBlank()
                    ? "nothing, such an event only follows from another one of its write"
                    : "nothing more"))
        .append('\n');
    differences(d).forEach(line -> text.append("    ").append(line).append('\n'));
    text.append(
        "Code or settings have changed since, or the journal has. The bounds in rubricem.episode"
            + " are part of every decision: if the node ran with other ones, name its"
            + " configuration with --config FILE.\n");
    return text.toString();
  }

  private static String name(Optional<EpisodeEvent> event, String otherwise) {
    return event.map(EpisodeEvent::kind).orElse(otherwise);
  }

  /** The fields in which two events of one kind differ. */
  private static List<String> differences(Divergence d) {
    List<String> lines = new ArrayList<>();
    if (d.stored().isPresent()
        && d.decided().isPresent()
        && d.stored().get().kind().equals(d.decided().get().kind())) {
      ObjectNode stored = DurableFormat.json(d.event(), d.stored().get());
      ObjectNode decided = DurableFormat.json(d.event(), d.decided().get());
      for (Map.Entry<String, JsonNode> field : decided.properties()) {
        JsonNode was = stored.path(field.getKey());
        if (!was.equals(field.getValue())) {
          lines.add(field.getKey() + " stored:  " + shown(was));
          lines.add(" ".repeat(field.getKey().length()) + " decided: " + shown(field.getValue()));
        }
      }
    }
    return lines;
  }

  private static String shown(JsonNode value) {
    return TerminalText.line(value.isMissingNode() ? "–" : value.toString(), VALUE_COLUMNS);
  }

  static ObjectNode json(EpisodeId id, Checked checked) {
    ObjectNode node = DurableFormat.json().createObjectNode();
    node.put("episode", id.value());
    node.put("ok", checked.divergence().isEmpty());
    node.put("events", checked.events());
    node.put("decisions", checked.decisions());
    checked.divergence().ifPresent(
        d -> {
          ObjectNode at = node.putObject("divergence");
          at.put("event", d.event());
          at.put("input", d.input());
          d.stored().ifPresent(e -> at.set("stored", DurableFormat.json(d.event(), e)));
          d.decided().ifPresent(e -> at.set("decided", DurableFormat.json(d.event(), e)));
        });
    return node;
  }
}
