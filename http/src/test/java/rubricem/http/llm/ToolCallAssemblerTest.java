package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The ways in which servers mangle streamed calls: two calls come out as two, or as an error. */
class ToolCallAssemblerTest {
  private static final List<ToolCallAssembler.RawCall> TWO =
      List.of(
          new ToolCallAssembler.RawCall("search", "{\"query\":\"a\"}"),
          new ToolCallAssembler.RawCall("search", "{\"query\":\"b\"}"));

  private static List<ToolCallAssembler.RawCall> assembled(String... deltas) {
    ToolCallAssembler assembler = new ToolCallAssembler();
    for (String delta : deltas) {
      assembler.accept(JsonText.object("{\"d\":" + delta + "}").orElseThrow().path("d"));
    }
    return assembler.calls();
  }

  @Test
  void as_documented() {
    assertEquals(TWO, assembled(
        "[{\"index\":0,\"id\":\"c1\",\"type\":\"function\","
            + "\"function\":{\"name\":\"search\",\"arguments\":\"\"}}]",
        args(0, "{\\\"query\\\":"), args(0, "\\\"a\\\"}"),
        "[{\"index\":1,\"id\":\"c2\",\"function\":{\"name\":\"search\",\"arguments\":\"\"}}]",
        args(1, "{\\\"query\\\":\\\"b\\\"}")));
  }

  @Test
  void interleaved_by_index() {
    assertEquals(TWO, assembled(
        "[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"search\"}},"
            + "{\"index\":1,\"id\":\"c2\",\"function\":{\"name\":\"search\"}}]",
        args(0, "{\\\"query\\\":"), args(1, "{\\\"query\\\":"), args(0, "\\\"a\\\"}"),
        args(1, "\\\"b\\\"}")));
  }

  @Test
  void index_missing_or_null() {
    for (String index : List.of("", "\"index\":null,")) {
      assertEquals(TWO, assembled(
          "[{" + index + "\"id\":\"c1\",\"function\":{\"name\":\"search\",\"arguments\":\"\"}}]",
          "[{" + index + "\"function\":{\"arguments\":\"{\\\"query\\\":\"}}]",
          "[{" + index + "\"id\":null,\"function\":{\"name\":null,\"arguments\":\"\\\"a\\\"}\"}}]",
          "[{" + index + "\"id\":\"c2\",\"function\":{\"name\":\"search\",\"arguments\":\"\"}}]",
          "[{" + index + "\"function\":{\"arguments\":\"{\\\"query\\\":\\\"b\\\"}\"}}]"));
    }
  }

  @Test
  void every_call_is_number_zero() {
    assertEquals(TWO, assembled(
        "[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"search\","
            + "\"arguments\":\"{\\\"query\\\":\\\"a\\\"}\"}}]",
        "[{\"index\":0,\"id\":\"c2\",\"function\":{\"name\":\"search\","
            + "\"arguments\":\"{\\\"query\\\":\\\"b\\\"}\"}}]"));
    assertEquals(TWO, assembled(
        "[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"search\",\"arguments\":\"\"}}]",
        args(0, "{\\\"query\\\":\\\"a\\\"}"),
        "[{\"index\":0,\"id\":\"c2\",\"function\":{\"name\":\"search\",\"arguments\":\"\"}}]",
        args(0, "{\\\"query\\\":\\\"b\\\"}")));
  }

  @Test
  void a_new_id_for_every_fragment() {
    for (String index : List.of("\"index\":0,", "")) {
      assertEquals(TWO, assembled(
          "[{" + index + "\"id\":\"x1\",\"function\":{\"name\":\"search\",\"arguments\":\"\"}}]",
          "[{" + index + "\"id\":\"x2\",\"function\":{\"arguments\":\"{\\\"query\\\":\"}}]",
          "[{" + index + "\"id\":\"x3\",\"function\":{\"arguments\":\"\\\"a\\\"}\"}}]",
          "[{" + index + "\"id\":\"x4\",\"function\":{\"name\":\"search\",\"arguments\":\"\"}}]",
          "[{" + index + "\"id\":\"x5\","
              + "\"function\":{\"arguments\":\"{\\\"query\\\":\\\"b\\\"}\"}}]"));
    }
  }

  @Test
  void arguments_as_an_object() {
    assertEquals(TWO, assembled(
        "[{\"function\":{\"name\":\"search\",\"arguments\":{\"query\":\"a\"}}},"
            + "{\"function\":{\"name\":\"search\",\"arguments\":{\"query\":\"b\"}}}]"));
    assertEquals(TWO, assembled(
        "[{\"index\":0,\"function\":{\"name\":\"search\",\"arguments\":{\"query\":\"a\"}}}]",
        "[{\"index\":0,\"function\":{\"name\":\"search\",\"arguments\":{\"query\":\"b\"}}}]"));
  }

  @Test
  void fragments_that_cannot_be_told_apart_are_no_call() {
    List<ToolCallAssembler.RawCall> merged = assembled(
        "[{\"index\":0,"
            + "\"function\":{\"name\":\"search\",\"arguments\":\"{\\\"query\\\":\\\"a\\\"}\"}}]",
        "[{\"index\":0,\"id\":\"c2\",\"function\":{\"arguments\":\"{\\\"query\\\":\\\"b\\\"}\"}}]");
    assertTrue(unusable(merged, "protocol"));
    List<ToolCallAssembler.RawCall> half = assembled(
        "[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"one\",\"arguments\":\"{\\\"que\"}}]",
        "[{\"index\":0,\"id\":\"c2\","
            + "\"function\":{\"name\":\"two\",\"arguments\":\"{\\\"query\\\":\\\"b\\\"}\"}}]");
    assertEquals(2, half.size());
    assertTrue(unusable(half, "truncated_call"));
  }

  @Test
  void nonsense_is_no_exception() {
    for (String nonsense : List.of("null", "3", "\"x\"", "[null,3,\"x\"]", "[{}]",
        "[{\"function\":null}]", "[{\"function\":[1]}]", "[{\"index\":\"0\",\"id\":5}]",
        "[{\"index\":0,\"function\":{\"name\":{},\"arguments\":7}}]", "{\"function\":{}}")) {
      List<ToolCallAssembler.RawCall> calls = assembled(nonsense);
      assertTrue(calls.isEmpty() || ToolCallReader.read(calls) instanceof
          ToolCallReader.Reading.Unusable, nonsense);
    }
  }

  @Test
  void a_flood_of_calls_is_bounded() {
    ToolCallAssembler assembler = new ToolCallAssembler();
    for (int i = 0; i < 1_000; i++) {
      assembler.accept(JsonText.object("{\"index\":" + i + ",\"function\":{\"name\":\"a\"}}")
          .orElseThrow());
    }
    assertTrue(assembler.overrun());
    assertEquals(64, assembler.calls().size());
  }

  private static boolean unusable(List<ToolCallAssembler.RawCall> calls, String kind) {
    return assertInstanceOf(ToolCallReader.Reading.Unusable.class, ToolCallReader.read(calls))
        .failure().kind().equals(kind);
  }

  private static String args(int index, String text) {
    return "[{\"index\":" + index + ",\"function\":{\"arguments\":\"" + text + "\"}}]";
  }
}
