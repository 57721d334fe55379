package rubricem.gpu.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class StopMatcherProperties {
  /** Two letters: overlaps and repeats are the rule. */
  @Provide
  Arbitrary<String> text() {
    return Arbitraries.strings().withChars('a', 'b').ofMaxLength(30);
  }

  @Provide
  Arbitrary<List<String>> stops() {
    return Arbitraries.strings().withChars('a', 'b').ofMinLength(1).ofMaxLength(5).list()
        .ofMaxSize(4);
  }

  @Property
  void finds_what_looking_at_every_end_finds(
      @ForAll("text") String text, @ForAll("stops") List<String> stops) {
    StopMatcher matcher = new StopMatcher(stops);
    for (int end = 1; end <= text.length(); end++) {
      matcher.feed(text.substring(end - 1, end).getBytes(StandardCharsets.UTF_8));
      String now = text.substring(0, end);
      Optional<String> longest =
          stops.stream().filter(now::endsWith).max(Comparator.comparingInt(String::length));
      if (longest.isPresent()) {
        StopMatcher.Hit hit = matcher.hit().orElseThrow();
        assertEquals(end, hit.to());
        assertEquals(longest.get(), now.substring((int) hit.from()));
        assertEquals(stops.indexOf(longest.get()), hit.stop());
        return;
      }
      assertTrue(matcher.hit().isEmpty());
      String open = now.substring((int) matcher.settledBytes());
      assertTrue(open.isEmpty() || stops.stream().anyMatch(s -> s.startsWith(open)), open);
      for (int from = 0; from < matcher.settledBytes(); from++) {
        String earlier = now.substring(from);
        assertTrue(stops.stream().noneMatch(s -> s.startsWith(earlier)), earlier);
      }
    }
  }
}
