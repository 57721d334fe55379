package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class OutsideTextProperties {
  @Property(tries = 5000)
  void unescaping_gives_back_the_exact_text(@ForAll("texts") String text) {
    assertEquals(text, OutsideText.unescape(OutsideText.escape(text)));
  }

  @Property(tries = 3000)
  void no_tag_and_no_hidden_character_is_left(@ForAll("texts") String text) {
    String escaped = OutsideText.escape(text);
    assertEquals(List.of(), TagMachine.tags(escaped));
    for (String name : List.of("cite", "/cite", "snippet", "/snippet", "|im_start")) {
      assertFalse(ScaffoldTag.lowerCase(escaped).contains("<" + name), escaped);
    }
    for (int i = 0; i < escaped.length(); i += Character.charCount(escaped.codePointAt(i))) {
      assertFalse(HiddenCharacters.at(escaped, i), escaped);
    }
    byte[] bytes = escaped.getBytes(StandardCharsets.UTF_8);
    assertEquals(escaped, new String(bytes, StandardCharsets.UTF_8));
  }

  @Provide
  Arbitrary<String> texts() {
    return ScaffoldTexts.anything();
  }
}
