package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/** However calls are cut and whatever their labels, each comes out whole and alone. */
class ToolCallAssemblerProperties {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  enum Index { PROPER, ABSENT, NULL, ZERO }

  enum Ids { PROPER, ABSENT, EVERY_FRAGMENT }

  @Property(tries = 500)
  void every_call_comes_out_whole_and_alone(
      @ForAll @Size(min = 1, max = 4) List<@StringLength(max = 30) String> queries,
      @ForAll Index index,
      @ForAll Ids ids,
      @ForAll boolean nameRepeated,
      @ForAll @IntRange(min = 1, max = 40) int chunk) {
    ToolCallAssembler assembler = new ToolCallAssembler();
    List<ToolCallAssembler.RawCall> expected = new ArrayList<>();
    int fragments = 0;
    for (int call = 0; call < queries.size(); call++) {
      String arguments = NODES.objectNode().put("query", queries.get(call)).toString();
      expected.add(new ToolCallAssembler.RawCall("search", arguments));
      for (int from = 0; from < arguments.length(); from += chunk) {
        ObjectNode fragment = NODES.objectNode();
        label(fragment, index, ids, call, ++fragments, from == 0);
        ObjectNode function = fragment.putObject("function");
        if (from == 0 || nameRepeated) {
          function.put("name", "search");
        }
        function.put(
            "arguments", arguments.substring(from, Math.min(arguments.length(), from + chunk)));
        assembler.accept(NODES.arrayNode().add(fragment));
      }
    }
    assertEquals(expected, assembler.calls());
  }

  private static void label(
      ObjectNode fragment, Index index, Ids ids, int call, int number, boolean first) {
    switch (index) {
      case PROPER -> fragment.put("index", call);
      case NULL -> fragment.putNull("index");
      case ZERO -> fragment.put("index", 0);
      case ABSENT -> { }
    }
    switch (ids) {
      case PROPER -> {
        if (first) {
          fragment.put("id", "c" + call);
        }
      }
      case EVERY_FRAGMENT -> fragment.put("id", "f" + number);
      case ABSENT -> { }
    }
  }

  @Property(tries = 300)
  void a_call_cut_anywhere_is_never_executed(
      @ForAll @StringLength(max = 40) String query, @ForAll @IntRange(min = 0, max = 1000) int at) {
    String arguments = NODES.objectNode().put("query", query).put("year", "2020").toString();
    String cut = arguments.substring(0, at % arguments.length());
    var reading =
        ToolCallReader.read(List.of(new ToolCallAssembler.RawCall("search", cut)));
    assertEquals(
        "truncated_call",
        assertInstanceOf(ToolCallReader.Reading.Unusable.class, reading).failure().kind());
  }
}
