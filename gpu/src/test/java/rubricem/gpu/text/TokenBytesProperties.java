package rubricem.gpu.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import rubricem.gpu.Golden;

/** Joining bytes against the decoder of the tokenizer library, on ids no model would sample. */
class TokenBytesProperties {
  private static final HuggingFaceTokenizer LIBRARY;
  private static final TokenBytes BYTES;

  static {
    try {
      LIBRARY =
          HuggingFaceTokenizer.newInstance(
              Golden.file("tokenizer/tokenizer.json"), Map.of("truncation", "false"));
      BYTES = TokenBytes.read(Files.readAllBytes(Golden.file("tokenizer/tokenizer.json")));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Property
  void parts_joined_are_what_the_library_decodes_at_once(
      @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 420) Integer> ids) {
    same(ids);
  }

  /** Only tokens of bytes beyond ASCII: broken characters of every kind. */
  @Property
  void broken_characters_are_replaced_as_the_library_does(
      @ForAll @Size(max = 12) List<@IntRange(min = 97, max = 258) Integer> ids) {
    same(ids);
  }

  private static void same(List<Integer> ids) {
    long[] all = ids.stream().mapToLong(Integer::longValue).toArray();
    IncrementalText text = new IncrementalText(BYTES);
    StringBuilder out = new StringBuilder();
    for (int id : ids) {
      String part = text.add(id);
      out.append(part);
    }
    out.append(text.finish());
    assertEquals(LIBRARY.decode(all, false), out.toString(), Arrays.toString(all));
  }
}
