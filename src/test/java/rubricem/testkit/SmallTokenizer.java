package rubricem.testkit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A byte-level tokenizer whose pairs were merged for some texts, so that these texts have few
 * tokens. Special tokens, alphabet and the way of cutting words are the handed tokenizer's.
 */
public final class SmallTokenizer {
  private static final int BYTES = 256;

  private SmallTokenizer() {}

  /** @return how many tokens it has */
  public static int write(Path file, String text, int merges) throws IOException {
    ObjectMapper json = new ObjectMapper();
    ObjectNode root =
        (ObjectNode) json.readTree(Shared.golden("tokenizer/tokenizer.json").toFile());
    ObjectNode model = (ObjectNode) root.get("model");
    ObjectNode vocabulary = json.createObjectNode();
    int alphabet = root.get("added_tokens").size() + BYTES;
    model.get("vocab").properties().stream()
        .filter(token -> token.getValue().intValue() < alphabet)
        .forEach(token -> vocabulary.set(token.getKey(), token.getValue()));
    String pattern =
        root.at("/pre_tokenizer/pretokenizers/0/pattern/Regex").textValue();
    ArrayNode pairs = json.createArrayNode();
    for (String[] pair : merged(words(text, pattern), merges)) {
      if (!vocabulary.has(pair[0] + pair[1])) {
        vocabulary.put(pair[0] + pair[1], vocabulary.size());
      }
      pairs.add(json.createArrayNode().add(pair[0]).add(pair[1]));
    }
    model.set("vocab", vocabulary);
    model.set("merges", pairs);
    json.writeValue(file.toFile(), root);
    return vocabulary.size();
  }

  /** Words as their bytes, each byte the letter that stands for it, and how often they occur. */
  private static Map<List<String>, Integer> words(String text, String pattern) {
    Map<List<String>, Integer> words = new HashMap<>();
    Matcher matcher =
        Pattern.compile(pattern, Pattern.UNICODE_CHARACTER_CLASS).matcher(text);
    while (matcher.find()) {
      List<String> letters = new ArrayList<>();
      for (byte b : matcher.group().getBytes(StandardCharsets.UTF_8)) {
        letters.add(letter(b & 0xff));
      }
      words.merge(letters, 1, Integer::sum);
    }
    return words;
  }

  /** Printable bytes stand for themselves, the others follow from 256 on, in order. */
  private static String letter(int wanted) {
    int next = BYTES;
    for (int b = 0; b < BYTES; b++) {
      boolean plain = b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae;
      if (b == wanted) {
        return String.valueOf((char) (plain ? b : next));
      }
      next += plain ? 0 : 1;
    }
    throw new IllegalArgumentException("no byte: " + wanted);
  }

  private static List<String[]> merged(Map<List<String>, Integer> words, int merges) {
    List<String[]> out = new ArrayList<>();
    Map<List<String>, Integer> left = words;
    while (out.size() < merges) {
      Map<List<String>, Integer> counts = new HashMap<>();
      left.forEach(
          (word, times) -> {
            for (int i = 0; i + 1 < word.size(); i++) {
              counts.merge(List.of(word.get(i), word.get(i + 1)), times, Integer::sum);
            }
          });
      List<String> best =
          counts.entrySet().stream()
              .max(
                  Map.Entry.<List<String>, Integer>comparingByValue()
                      .thenComparing(e -> e.getKey().toString(), Comparator.reverseOrder()))
              .map(Map.Entry::getKey)
              .orElse(null);
      if (best == null) {
        break;
      }
      out.add(new String[] {best.get(0), best.get(1)});
      Map<List<String>, Integer> next = new HashMap<>();
      left.forEach((word, times) -> next.merge(joined(word, best), times, Integer::sum));
      left = next;
    }
    return out;
  }

  private static List<String> joined(List<String> word, List<String> pair) {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < word.size(); i++) {
      if (i + 1 < word.size() && word.get(i).equals(pair.get(0))
          && word.get(i + 1).equals(pair.get(1))) {
        out.add(pair.get(0) + pair.get(1));
        i++;
      } else {
        out.add(word.get(i));
      }
    }
    return out;
  }
}
