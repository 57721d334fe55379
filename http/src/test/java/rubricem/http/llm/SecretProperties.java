package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertFalse;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;

/** No text keeps a key that was scrubbed from it. */
class SecretProperties {
  @Property(tries = 200)
  void never_survives_a_text(
      @ForAll @AlphaChars @StringLength(min = 8, max = 40) String key,
      @ForAll @AlphaChars @StringLength(max = 30) String before,
      @ForAll @AlphaChars @StringLength(max = 30) String after) {
    assertFalse(new Secret(key).scrub(before + key + after).contains(key));
  }
}
