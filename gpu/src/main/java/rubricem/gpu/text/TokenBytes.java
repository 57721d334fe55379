package rubricem.gpu.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The bytes each token stands for in a byte-level vocabulary, read from {@code tokenizer.json}.
 * Decoding is then joining bytes, which needs no tokenizer and no second look at earlier tokens: a
 * character may be spread over several tokens, and only joined do they make text.
 */
public final class TokenBytes {
  /** Ids are dense but for a few; the table must not be made as long as one wrong id says. */
  private static final int SPARSE_MAX = 4;

  private static final byte[] NONE = {};
  private static final int[] BYTE_OF_CHARACTER = byteOfCharacter();

  private final byte[][] bytes;
  private final Map<String, Integer> ids;
  private final Set<Integer> special;

  private TokenBytes(byte[][] bytes, Map<String, Integer> ids, Set<Integer> special) {
    this.bytes = bytes;
    this.ids = ids;
    this.special = special;
  }

  /** @param json the content of a {@code tokenizer.json} with a byte-level decoder */
  static TokenBytes read(byte[] json) throws IOException {
    JsonNode root = new ObjectMapper().readTree(json);
    if (!isByteLevel(root.path("decoder"))) {
      throw new IOException(
          "its decoder is " + root.path("decoder").path("type") + "; only byte-level tokenizers"
              + " such as Qwen's are read");
    }
    Map<String, Integer> ids = new HashMap<>();
    Set<Integer> special = new HashSet<>();
    for (Map.Entry<String, JsonNode> entry : root.path("model").path("vocab").properties()) {
      ids.put(entry.getKey(), entry.getValue().asInt(-1));
    }
    for (JsonNode added : root.path("added_tokens")) {
      ids.put(added.path("content").asText(), added.path("id").asInt(-1));
      if (added.path("special").asBoolean()) {
        special.add(added.path("id").asInt(-1));
      }
    }
    int size = 1 + ids.values().stream().mapToInt(id -> id).max().orElse(-1);
    if (ids.isEmpty() || ids.containsValue(-1) || size > SPARSE_MAX * ids.size()) {
      throw new IOException("its vocabulary is empty or its ids are no small numbers");
    }
    byte[][] bytes = new byte[size][];
    ids.forEach((token, id) -> bytes[id] = bytesOf(token));
    return new TokenBytes(bytes, Map.copyOf(ids), Set.copyOf(special));
  }

  private static boolean isByteLevel(JsonNode decoder) {
    List<JsonNode> parts = new ArrayList<>(List.of(decoder));
    decoder.path("decoders").forEach(parts::add);
    return parts.stream().anyMatch(d -> d.path("type").asText().equals("ByteLevel"));
  }

  /** A token with a character outside the byte alphabet stands for its own text. */
  private static byte[] bytesOf(String token) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(token.length());
    for (int i = 0; i < token.length(); i++) {
      char c = token.charAt(i);
      if (c >= BYTE_OF_CHARACTER.length || BYTE_OF_CHARACTER[c] < 0) {
        return token.getBytes(StandardCharsets.UTF_8);
      }
      out.write(BYTE_OF_CHARACTER[c]);
    }
    return out.toByteArray();
  }

  /**
   * The alphabet of byte-level vocabularies: bytes that print stand for themselves, the others, in
   * order, for the characters from 256 on.
   */
  private static int[] byteOfCharacter() {
    int[] out = new int[512];
    Arrays.fill(out, -1);
    int next = 256;
    for (int b = 0; b < 256; b++) {
      boolean prints = b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae;
      out[prints ? b : next++] = b;
    }
    return out;
  }

  /** Empty for an id that stands for nothing, as models have where their size was rounded up. */
  public byte[] of(int id) {
    byte[] found = id >= 0 && id < bytes.length ? bytes[id] : null;
    return found == null ? NONE : found.clone();
  }

  /** One more than the largest id. */
  public int size() {
    return bytes.length;
  }

  /** The id of a token under the name the file gives it, such as {@code <|im_end|>}. */
  public OptionalInt id(String token) {
    Integer found = ids.get(token);
    return found == null ? OptionalInt.empty() : OptionalInt.of(found);
  }

  public boolean isSpecial(int id) {
    return special.contains(id);
  }
}
