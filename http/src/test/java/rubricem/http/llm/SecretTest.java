package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** A key shows itself nowhere. */
class SecretTest {
  @Test
  void prints_as_a_mask() {
    Secret key = new Secret(" sk-abcdefghijkl\n");
    assertEquals("Secret[***]", key.toString());
    assertEquals("sk-abcdefghijkl", key.value());
    assertEquals("Secret[none]", Secret.NONE.toString());
  }

  @Test
  void a_key_that_no_header_can_hold_is_refused_without_being_shown() {
    for (String bad : new String[] {"sk-ab cd", "sk-ab\ncd", "schlüssel"}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> new Secret(bad));
      assertFalse(e.getMessage().contains(bad.substring(0, 4)));
    }
  }

  @Test
  void is_taken_out_whole_in_pieces_and_encoded() {
    Secret key = new Secret("sk-abc/def+ghijklmnop");
    assertEquals("a *** b", key.scrub("a sk-abc/def+ghijklmnop b"));
    assertEquals("a *** b", key.scrub("a sk-abc%2Fdef%2Bghijklmnop b"));
    assertEquals("a ***... b", key.scrub("a sk-abc/def... b"));
    assertEquals("nothing here", Secret.NONE.scrub("nothing here"));
    assertEquals("*** is short", new Secret("k").scrub("k is short"));
  }
}
