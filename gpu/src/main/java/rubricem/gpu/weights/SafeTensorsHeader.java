package rubricem.gpu.weights;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of contents of a safetensors file. Whoever holds one may rely on it: names are unique,
 * each length is what type and shape need, and the tensors fill the part behind the header without
 * gap or overlap. It knows nothing of files beyond their name in messages.
 */
record SafeTensorsHeader(
    Map<String, Entry> entries, Map<String, String> metadata, long bodyBytes) {
  static final String METADATA = "__metadata__";

  /** What the reference implementation takes; a larger one is no header but something else. */
  static final int BYTES_MAX = 100_000_000;

  /** The body begins at a multiple of it, so that every element type is aligned. */
  static final int ALIGNMENT = 8;

  record Entry(TensorSpec spec, long from, long to) {}

  SafeTensorsHeader {
    entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    metadata = Map.copyOf(metadata);
  }

  /** The order of a written file: wide elements first, which keeps all aligned, else as given. */
  static SafeTensorsHeader laidOut(List<TensorSpec> specs, Map<String, String> metadata) {
    List<TensorSpec> order = new ArrayList<>(specs);
    order.sort(Comparator.comparingInt((TensorSpec s) -> s.dtype().bytes()).reversed());
    Map<String, Entry> entries = new LinkedHashMap<>();
    long at = 0;
    for (TensorSpec spec : order) {
      long to = Math.addExact(at, spec.bytes());
      boolean taken = entries.put(spec.name(), new Entry(spec, at, to)) != null;
      if (taken || spec.name().equals(METADATA)) {
        throw new IllegalArgumentException("a second tensor, or none, may be named " + spec.name());
      }
      at = to;
    }
    return new SafeTensorsHeader(entries, metadata, at);
  }

  /** With blanks at the end up to the alignment; without the eight bytes of its length. */
  byte[] toBytes() throws IOException {
    ObjectNode root = Json.MAPPER.createObjectNode();
    if (!metadata.isEmpty()) {
      ObjectNode node = root.putObject(METADATA);
      metadata.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(e -> node.put(e.getKey(), e.getValue()));
    }
    entries.forEach(
        (name, entry) -> {
          ObjectNode node = root.putObject(name);
          node.put("dtype", entry.spec.dtype().name());
          ArrayNode shape = node.putArray("shape");
          Arrays.stream(entry.spec.shape()).forEach(shape::add);
          node.putArray("data_offsets").add(entry.from).add(entry.to);
        });
    byte[] text = Json.MAPPER.writeValueAsString(root).getBytes(StandardCharsets.UTF_8);
    int padded = (text.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    byte[] out = Arrays.copyOf(text, padded);
    Arrays.fill(out, text.length, padded, (byte) ' ');
    if (padded > BYTES_MAX) {
      throw new IOException("too many tensors for one file: the header has " + padded + " bytes");
    }
    return out;
  }

  static SafeTensorsHeader parse(Path file, byte[] text, long bodyBytes) throws IOException {
    if (text.length == 0 || text[0] != '{') {
      throw new UnusableFolderException(file, "no safetensors file: its header is no JSON object");
    }
    ObjectNode root = Json.parse(file, text);
    Map<String, String> metadata = metadata(file, root.get(METADATA));
    List<Entry> found = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : root.properties()) {
      if (!field.getKey().equals(METADATA)) {
        found.add(entry(file, field.getKey(), field.getValue()));
      }
    }
    found.sort(Comparator.comparingLong(Entry::from).thenComparingLong(Entry::to));
    Map<String, Entry> entries = new LinkedHashMap<>();
    long at = 0;
    for (Entry entry : found) {
      if (entry.from != at) {
        String what = entry.from < at ? "overlaps the tensor before it" : "leaves a gap before it";
        throw new UnusableFolderException(file, "damaged: " + entry.spec.name() + " " + what);
      }
      at = entry.to;
      entries.put(entry.spec.name(), entry);
    }
    if (at != bodyBytes) {
      throw new UnusableFolderException(
          file,
          (at > bodyBytes ? "cut off" : "damaged")
              + ": its tensors need " + at + " bytes behind the header and there are " + bodyBytes);
    }
    return new SafeTensorsHeader(entries, metadata, bodyBytes);
  }

  private static Map<String, String> metadata(Path file, @Nullable JsonNode node)
      throws IOException {
    Map<String, String> out = new LinkedHashMap<>();
    if (node == null) {
      return out;
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (!field.getValue().isTextual()) {
        throw new UnusableFolderException(file, "damaged: metadata that is no text");
      }
      out.put(field.getKey(), field.getValue().textValue());
    }
    return out;
  }

  private static Entry entry(Path file, String name, JsonNode node) throws IOException {
    String label = node.path("dtype").asText();
    Dtype dtype =
        Dtype.ofLabel(label)
            .orElseThrow(
                () ->
                    new UnusableFolderException(
                        file, name + " has the element type '" + label + "', which is not known"));
    long[] shape = wholeNumbers(file, name, node.get("shape"));
    long[] offsets = wholeNumbers(file, name, node.get("data_offsets"));
    if (offsets.length != 2 || offsets[0] > offsets[1]) {
      throw new UnusableFolderException(file, "damaged: no valid offsets for " + name);
    }
    try {
      TensorSpec spec = new TensorSpec(name, dtype, shape);
      if (spec.bytes() != offsets[1] - offsets[0]) {
        throw new UnusableFolderException(
            file,
            "damaged: " + spec + " needs " + spec.bytes() + " bytes and has "
                + (offsets[1] - offsets[0]));
      }
      return new Entry(spec, offsets[0], offsets[1]);
    } catch (ArithmeticException e) {
      throw new UnusableFolderException(file, "damaged: the shape of " + name + " overflows");
    }
  }

  private static long[] wholeNumbers(
      Path file, String name, @Nullable JsonNode node) throws IOException {
    if (node == null || !node.isArray()) {
      throw new UnusableFolderException(file, "damaged: no shape or offsets for " + name);
    }
    long[] out = new long[node.size()];
    for (int i = 0; i < out.length; i++) {
      JsonNode number = node.get(i);
      if (!number.isIntegralNumber() || !number.canConvertToLong() || number.longValue() < 0) {
        throw new UnusableFolderException(
            file, "damaged: " + number + " among the shape or offsets of " + name);
      }
      out[i] = number.longValue();
    }
    return out;
  }
}
