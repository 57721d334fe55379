package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeView;

/**
 * An episode as the events of a response, numbered from 0. The numbers follow from the stored
 * events alone, so a stream that is opened again sends the same ones, and one opened after a number
 * sends what is behind it. Whatever is sent next begins with an event that nobody needs: an error
 * takes its number when the server stops before it, so that numbers rise without a gap, and who
 * resumes behind the error has missed nothing. Such an event says again what the one before the
 * step said, or is the first of an end that waits for the step; it never holds the items so far,
 * for a stream of many steps would grow with their square. Thoughts become reasoning, searches
 * become search calls, the report becomes the one message; nothing else is ever sent, because the
 * libraries know nothing else.
 */
final class ResponseFold implements StreamFold {
  private final String model;
  private final long after;
  private final EpisodeView view;
  private final List<ObjectNode> items = new ArrayList<>();
  private final Map<CallId, Integer> searches = new HashMap<>();
  private final StringBuilder out = new StringBuilder();
  private final ObjectNode running;

  /** The end of the last step, whose first event nobody needs who gets the others. */
  private final List<ObjectNode> held = new ArrayList<>();

  /** What may be said twice, where no end is held. */
  private ObjectNode sign;

  private long next;

  /** @param after the number of the last event that the reader has; -1: none */
  ResponseFold(EpisodeView view, String model, long after) {
    this.view = view;
    this.model = model;
    this.after = after;
    this.running = running(view, model);
    // libraries put it in the place of all they have gathered, which is nothing yet
    this.sign = event("response.in_progress").set("response", running);
  }

  /** The items so far. */
  List<ObjectNode> items() {
    return items;
  }

  /** The number of the last event so far; -1 before the first. */
  long last() {
    return next - 1;
  }

  @Override
  public String begin(EpisodeView begun) {
    send(event("response.created").set("response", running));
    goesOn();
    return taken();
  }

  private static ObjectNode running(EpisodeView view, String model) {
    ObjectNode snapshot =
        ResponseObject.json(view, model, List.of()).put("status", "in_progress");
    snapshot.putNull("error").putNull("incomplete_details").putNull("usage");
    snapshot.remove("completed_at");
    return snapshot;
  }

  private void goesOn() {
    if (held.isEmpty()) {
      send(sign.deepCopy());
    } else {
      release();
    }
  }

  private void release() {
    held.forEach(this::send);
    held.clear();
  }

  @Override
  public String on(EpisodeEvent event) {
    ResearchStep.of(event).filter(this::isTold).ifPresent(
        step -> {
          switch (step) {
            case ResearchStep.Thought thought -> thought(thought.text());
            case ResearchStep.SearchBegun begun -> begun(begun);
            case ResearchStep.SearchEnded ended when ended.found().isPresent() ->
                completed(ended.callId());
            case ResearchStep.SearchEnded ended -> failed(ended.callId());
          }
        });
    return taken();
  }

  /** The end of a search that nobody heard the beginning of is nothing. */
  private boolean isTold(ResearchStep step) {
    return !(step instanceof ResearchStep.SearchEnded ended)
        || searches.containsKey(ended.callId());
  }

  private void thought(String text) {
    goesOn();
    String id = "rs_" + view.id() + "_" + items.size();
    ObjectNode item = object().put("id", id).put("type", "reasoning");
    item.putArray("summary");
    int index = add(item);
    ObjectNode part = object().put("type", "summary_text").put("text", "");
    send(summary("response.reasoning_summary_part.added", id, index).set("part", part));
    send(summary("response.reasoning_summary_text.delta", id, index).put("delta", text));
    held.add(summary("response.reasoning_summary_text.done", id, index).put("text", text));
    ObjectNode whole = object().put("type", "summary_text").put("text", text);
    held.add(summary("response.reasoning_summary_part.done", id, index).set("part", whole));
    item.withArray("summary").add(whole);
    held.add(done(index));
  }

  private ObjectNode summary(String type, String id, int index) {
    return about(type, id, index).put("summary_index", 0);
  }

  private void begun(ResearchStep.SearchBegun search) {
    goesOn();
    String kind = search.web() ? "web_search_call" : "file_search_call";
    ObjectNode item =
        object().put("id", (search.web() ? "ws_" : "fs_") + view.id() + "_" + items.size())
            .put("type", kind).put("status", "in_progress");
    if (search.web()) {
      ObjectNode action =
          item.putObject("action").put("type", "search").put("query", search.query());
      action.putArray("queries").add(search.query());
    } else {
      item.putArray("queries").add(search.query());
      item.putNull("results");
    }
    int index = add(item);
    searches.put(search.callId(), index);
    send(search(index, "in_progress"));
    sign = search(index, "searching");
    send(sign.deepCopy());
  }

  private ObjectNode search(int index, String state) {
    ObjectNode item = items.get(index);
    return about(
        "response." + item.get("type").asText() + "." + state, item.get("id").asText(), index);
  }

  /** It begins with what its last event says too. */
  private void completed(CallId call) {
    int index = closed(call, "completed");
    release();
    sign = search(index, "completed");
    send(sign.deepCopy());
    send(done(index));
  }

  /** There is no event for a failure, and so none that could be said twice behind it. */
  private void failed(CallId call) {
    int index = closed(call, "failed");
    held.add(search(index, "searching"));
    held.add(done(index));
  }

  private int closed(CallId call, String status) {
    int index = searches.remove(call);
    items.get(index).put("status", status);
    return index;
  }

  @Override
  public String end(EpisodeView ended) {
    goesOn();
    List.copyOf(searches.keySet()).forEach(call -> send(done(closed(call, "incomplete"))));
    if (ended.report().isPresent()) {
      message(AnswerText.of(ended));
    }
    String type =
        switch (ResponseObject.status(ended)) {
          case "completed" -> "response.completed";
          case "incomplete" -> "response.incomplete";
          // there is no event for a cancelled one; its status says so
          default -> "response.failed";
        };
    send(event(type).set("response", ResponseObject.json(ended, model, items)));
    return taken();
  }

  private void message(AnswerText answer) {
    String id = ResponseObject.MESSAGE + view.id();
    ObjectNode item =
        object().put("id", id).put("type", "message").put("role", "assistant")
            .put("status", "in_progress");
    item.putArray("content");
    int index = add(item);
    send(content("response.content_part.added", id, index).set("part", part("")));
    for (String piece : answer.pieces()) {
      ObjectNode delta =
          content("response.output_text.delta", id, index).put("delta", piece);
      delta.putArray("logprobs");
      send(delta);
    }
    ObjectNode whole = part(answer.text());
    whole.set("annotations", answer.annotations());
    for (int i = 0; i < answer.citations().size(); i++) {
      send(
          content("response.output_text.annotation.added", id, index).put("annotation_index", i)
              .set("annotation", whole.get("annotations").get(i)));
    }
    ObjectNode text = content("response.output_text.done", id, index).put("text", answer.text());
    text.putArray("logprobs");
    send(text);
    send(content("response.content_part.done", id, index).set("part", whole));
    item.put("status", answer.cut() ? "incomplete" : "completed").withArray("content").add(whole);
    send(done(index));
  }

  private static ObjectNode part(String text) {
    ObjectNode part = object().put("type", "output_text").put("text", text);
    part.putArray("annotations");
    part.putArray("logprobs");
    return part;
  }

  private ObjectNode content(String type, String id, int index) {
    return about(type, id, index).put("content_index", 0);
  }

  private int add(ObjectNode item) {
    items.add(item);
    int index = items.size() - 1;
    send(
        event("response.output_item.added").put("output_index", index)
            .set("item", item.deepCopy()));
    return index;
  }

  private ObjectNode done(int index) {
    return event("response.output_item.done").put("output_index", index)
        .set("item", items.get(index).deepCopy());
  }

  private static ObjectNode about(String type, String id, int index) {
    return event(type).put("item_id", id).put("output_index", index);
  }

  private static ObjectNode event(String type) {
    return object().put("type", type);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private void send(com.fasterxml.jackson.databind.JsonNode event) {
    long number = next++;
    if (number > after) {
      frame((ObjectNode) event, number);
    }
  }

  private void frame(ObjectNode event, long number) {
    event.put("sequence_number", number);
    out.append("event: ").append(event.get("type").asText()).append("\ndata: ").append(event)
        .append("\n\n");
  }

  private String taken() {
    String frames = out.toString();
    out.setLength(0);
    return frames;
  }

  /**
   * It takes the number of the event that nobody needs. A reader who was still being brought to
   * where it had resumed hears that number again.
   */
  @Override
  public String serverStops() {
    frame(
        event("error").put("code", "server_error")
            .put("message", "The server stops and the episode goes on. Resume with starting_after.")
            .putNull("param"),
        Math.max(after, next));
    return taken();
  }
}
