package rubricem.http.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.scaffold.ToolCall;

/**
 * Reads the calls of one response. A turn is one action, so the first call is the turn's and the
 * others are reported; a first call that is half or garbled is a failure and never executed,
 * whatever {@code finish_reason} says.
 */
final class ToolCallReader {
  /** The arguments that may hold what is searched for, the likeliest first. */
  private static final List<String> QUERY_NAMES = List.of("query", "url", "input", "text",
      "content");

  sealed interface Reading {
    /** @param notes one sentence each about what was left out */
    record First(ToolCall call, List<String> notes) implements Reading {}

    record Unusable(CallFailure failure) implements Reading {}
  }

  private ToolCallReader() {}

  /** @param calls at least one */
  static Reading read(List<ToolCallAssembler.RawCall> calls) {
    ToolCallAssembler.RawCall first = calls.getFirst();
    JsonText.Reading arguments = arguments(first.arguments());
    if (arguments instanceof JsonText.Reading.Cut) {
      return new Reading.Unusable(
          new CallFailure.Transient(
              "truncated_call",
              "the model's tool call ends in the middle of its arguments; it was not executed",
              java.util.Optional.empty()));
    }
    if (first.name().isBlank() || !(arguments instanceof JsonText.Reading.Whole whole)) {
      return new Reading.Unusable(
          new CallFailure.Transient(
              "protocol",
              "the model server sent a tool call that cannot be read; it was not executed",
              java.util.Optional.empty()));
    }
    List<String> notes = new ArrayList<>();
    if (calls.size() > 1) {
      notes.add(
          (calls.size() - 1) + " more tool call(s) in the same turn were not executed:"
              + " a turn is one action");
    }
    return new Reading.First(canonical(first.name().strip(), whole.object()), notes);
  }

  /** Some servers encode the arguments twice. */
  private static JsonText.Reading arguments(String text) {
    if (text.stripLeading().startsWith("\"")) {
      try {
        return JsonText.readObject(JsonText.MAPPER.readTree(text).asText());
      } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
        return new JsonText.Reading.Wrong();
      }
    }
    return JsonText.readObject(text);
  }

  private static ToolCall canonical(String name, ObjectNode arguments) {
    String queryName = queryName(arguments);
    Map<String, String> attributes = new LinkedHashMap<>();
    arguments.properties().forEach(
        entry -> {
          boolean writable = entry.getKey().matches("[\\w-]+") && !entry.getKey().equals("name");
          if (writable && !entry.getKey().equals(queryName) && !entry.getValue().isNull()) {
            attributes.put(entry.getKey(), plain(entry.getValue()));
          }
        });
    return new ToolCall(name, plain(arguments.path(queryName)).strip(), attributes);
  }

  private static String queryName(ObjectNode arguments) {
    for (String name : QUERY_NAMES) {
      if (arguments.path(name).isTextual()) {
        return name;
      }
    }
    List<String> texts = new ArrayList<>();
    arguments.properties().forEach(
        entry -> {
          if (entry.getValue().isTextual()) {
            texts.add(entry.getKey());
          }
        });
    return texts.size() == 1 ? texts.getFirst() : QUERY_NAMES.getFirst();
  }

  private static String plain(JsonNode value) {
    if (value.isArray()) {
      List<String> parts = new ArrayList<>();
      value.forEach(part -> parts.add(plain(part)));
      return String.join(",", parts);
    }
    return value.isObject() ? value.toString() : value.asText("");
  }
}
