package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import rubricem.protocol.CallId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.scaffold.ToolOutputText.ReadSnippet;

class ToolOutputTextProperties {
  private static Snippet snippet(
      String id, String title, String url, String position, Optional<String> note, String text) {
    Passage passage = new Passage("doc", title, url, position, 0, text.length(), text, 1.0, note);
    return new Snippet(id, CallId.parse("e/1"), "google_search", passage);
  }

  private static ReadSnippet read(Snippet snippet) {
    Passage p = snippet.passage();
    return new ReadSnippet(snippet.id(), p.title(), p.url(), p.position(), p.note(), p.text());
  }

  @Property(tries = 2000)
  void reading_what_was_printed_gives_the_same_texts(
      @ForAll("snippets") List<Snippet> snippets, @ForAll("notes") List<String> notes) {
    String printed = ToolOutputText.print(snippets, notes);
    var read = ToolOutputText.parse(printed);
    assertEquals(snippets.stream().map(ToolOutputTextProperties::read).toList(), read.snippets());
    assertEquals(notes, read.notes());
    assertEquals(List.of(), read.errors());
    List<Tag> tags = TagMachine.tags(printed);
    assertEquals(2, tags.size());
    assertTrue(tags.stream().allMatch(t -> t.kind() == ScaffoldTag.TOOL_OUTPUT));
  }

  @Property(tries = 1000)
  void no_snippet_is_longer_than_what_is_told_without_printing_it(
      @ForAll("snippets") List<Snippet> snippets, @ForAll("texts") String text) {
    int frame = ToolOutputText.print(List.of(), List.of()).length();
    long most = snippets.stream().mapToLong(ToolOutputText::lengthMax).sum();
    assertTrue(ToolOutputText.print(snippets, List.of()).length() - frame <= most);
    assertTrue(OutsideText.escape(text).length() <= OutsideText.escapedLengthMax(text));
  }

  @Property(tries = 1000)
  void no_text_makes_reading_throw(@ForAll("texts") String text) {
    assertNotNull(ToolOutputText.parse(text));
    assertNotNull(ToolOutputText.parse("<snippet id=\"" + text));
    assertNotNull(ToolOutputText.parse("<snippet id=\"S_1\">\nTitle: x\nURL: y\n" + text));
  }

  @Provide
  Arbitrary<String> texts() {
    return ScaffoldTexts.anything();
  }

  @Provide
  Arbitrary<List<String>> notes() {
    return ScaffoldTexts.anything().list().ofMaxSize(2);
  }

  @Provide
  Arbitrary<List<Snippet>> snippets() {
    Arbitrary<String> any = ScaffoldTexts.anything();
    return Combinators.combine(any, any, any, any, any.optional(0.4), any)
        .as(ToolOutputTextProperties::snippet)
        .list()
        .ofMaxSize(3);
  }
}
