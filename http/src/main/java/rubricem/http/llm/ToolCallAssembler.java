package rubricem.http.llm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Puts the fragments of streamed {@code tool_calls} together again, also from servers that leave
 * out
 * {@code index}, call every call number 0, give each fragment an id of its own or send arguments as
 * an object. Two calls are never merged into one: where fragments cannot be told apart, what comes
 * out is not readable as a call, and {@link ToolCallReader} says so.
 */
final class ToolCallAssembler {
  /** A server that streams more calls than this in a turn is not speaking sense. */
  private static final int CALLS_MAX = 64;

  /** @param arguments the JSON text as received; not yet read */
  record RawCall(String name, String arguments) {}

  private static final class Draft {
    private final Optional<Integer> index;
    private String id = "";
    private String name = "";
    private final StringBuilder arguments = new StringBuilder();

    private Draft(Optional<Integer> index) {
      this.index = index;
    }
  }

  private final List<Draft> drafts = new ArrayList<>();
  private boolean overrun;

  /** @param toolCalls the array of a delta or of a whole message; anything else is nothing */
  void accept(JsonNode toolCalls) {
    if (toolCalls.isObject()) {
      acceptFragment(toolCalls);
    }
    for (JsonNode fragment : toolCalls.isArray() ? toolCalls : List.<JsonNode>of()) {
      if (fragment.isObject()) {
        acceptFragment(fragment);
      }
    }
  }

  /** The older {@code function_call} member: one call without an id. */
  void acceptFunction(JsonNode function) {
    if (function.isObject()) {
      add(Optional.empty(), "", function);
    }
  }

  boolean isEmpty() {
    return drafts.isEmpty();
  }

  /** More calls came than are kept; what is kept is not trusted then. */
  boolean overrun() {
    return overrun;
  }

  List<RawCall> calls() {
    return drafts.stream().map(d -> new RawCall(d.name, d.arguments.toString())).toList();
  }

  private void acceptFragment(JsonNode fragment) {
    JsonNode index = fragment.path("index");
    JsonNode function = fragment.path("function");
    add(
        index.isIntegralNumber() ? Optional.of(index.intValue()) : Optional.empty(),
        text(fragment.path("id")),
        function.isObject() ? function : fragment);
  }

  private void add(Optional<Integer> index, String id, JsonNode function) {
    String name = text(function.path("name"));
    JsonNode given = function.path("arguments");
    String arguments = given.isContainerNode() ? given.toString() : text(given);
    Optional<Draft> current = currentFor(index, id);
    if (current.isEmpty() || startsAnother(current.get(), id, name, given)) {
      if (drafts.size() == CALLS_MAX) {
        overrun = true;
        return;
      }
      drafts.add(new Draft(index));
      current = Optional.of(drafts.getLast());
    }
    Draft draft = current.get();
    if (draft.id.isEmpty()) {
      draft.id = id;
    }
    if (!name.isEmpty() && !name.equals(draft.name)) {
      draft.name += name;
    }
    draft.arguments.append(arguments);
  }

  private Optional<Draft> currentFor(Optional<Integer> index, String id) {
    Optional<Draft> latest = Optional.empty();
    for (Draft draft : drafts) {
      if (index.isEmpty() || index.equals(draft.index)) {
        if (!id.isEmpty() && id.equals(draft.id) && index.isEmpty()) {
          return Optional.of(draft);
        }
        latest = Optional.of(draft);
      }
    }
    return latest;
  }

  /** A fragment without a name goes on with what is there; a name opens a call, or repeats one. */
  private static boolean startsAnother(Draft draft, String id, String name, JsonNode given) {
    boolean complete = JsonText.isObject(draft.arguments.toString());
    if (name.isEmpty()) {
      return complete && given.isObject();
    }
    boolean sameId = id.isEmpty() || id.equals(draft.id);
    if (draft.arguments.isEmpty()) {
      return !sameId && !draft.name.isEmpty() && !name.equals(draft.name);
    }
    return complete || !name.equals(draft.name);
  }

  private static String text(JsonNode node) {
    return node.isTextual() ? node.textValue() : "";
  }
}
