package rubricem.gpu.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.gpu.Golden;

class QwenTokenizerTest {
  private static QwenTokenizer tokenizer;

  @TempDir Path folder;

  @BeforeAll
  static void open() throws IOException {
    tokenizer = QwenTokenizer.open(Golden.file("tokenizer/tokenizer.json"));
  }

  @AfterAll
  static void close() {
    tokenizer.close();
  }

  @Test
  void handed_texts_have_the_handed_ids_and_come_back() {
    for (JsonNode sample : Golden.json("tokenizer.json")) {
      int[] ids = ids(sample.get("ids"));
      String text = sample.get("text").asText();
      assertArrayEquals(ids, tokenizer.encode(text), text);
      assertEquals(sample.get("decoded_with_specials").asText(), tokenizer.decode(ids));
    }
  }

  private static int[] ids(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).mapToInt(JsonNode::asInt).toArray();
  }

  @Test
  void nothing_is_cut_from_a_long_text_and_nothing_added() {
    String text = "word and ".repeat(20_000);
    int[] ids = tokenizer.encode(text);
    assertTrue(ids.length > 20_000, () -> "" + ids.length);
    assertEquals(text, tokenizer.decode(ids));
  }

  @Test
  void characters_that_java_writes_in_its_own_way_arrive_whole() {
    for (String text : List.of("a\u0000b", "\ud83d\ude42", "\u007f\u0001", "\uffff\u2028")) {
      assertEquals(text, tokenizer.decode(tokenizer.encode(text)));
    }
    int[] halves = tokenizer.encode("a\ud83db\ude42\ud83d");
    assertEquals("a\ufffdb\ufffd\ufffd", tokenizer.decode(halves));
  }

  @Test
  void special_tokens_are_known_by_name_and_in_text() {
    assertEquals(OptionalInt.of(2), tokenizer.id("<|im_end|>"));
    assertEquals(OptionalInt.empty(), tokenizer.id("<|im_middle|>"));
    assertArrayEquals(new int[] {0, 2, 1}, tokenizer.encode("<|endoftext|><|im_end|><|im_start|>"));
    assertTrue(tokenizer.bytes().isSpecial(2) && !tokenizer.bytes().isSpecial(40));
    assertArrayEquals(
        "<|im_end|>".getBytes(StandardCharsets.US_ASCII), tokenizer.bytes().of(2));
  }

  @Test
  void ids_that_stand_for_nothing_decode_to_nothing() {
    int size = tokenizer.bytes().size();
    assertEquals("", tokenizer.decode(new int[] {size, size + 7, -1, Integer.MAX_VALUE}));
  }

  @Test
  void many_threads_get_the_same_ids() throws Exception {
    String text = "Hello world, na\u00efve <|im_start|> text 3.14";
    int[] ids = tokenizer.encode(text);
    Callable<Void> task =
        () -> {
          for (int i = 0; i < 300; i++) {
            assertArrayEquals(ids, tokenizer.encode(text));
            assertEquals(text, tokenizer.decode(ids));
          }
          return null;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (var done : threads.invokeAll(IntStream.range(0, 8).mapToObj(i -> task).toList())) {
        done.get();
      }
    }
  }

  @Test
  void a_closed_one_refuses_and_may_be_closed_again() throws IOException {
    QwenTokenizer other = QwenTokenizer.open(Golden.file("tokenizer/tokenizer.json"));
    other.close();
    other.close();
    assertThrows(IllegalStateException.class, () -> other.encode("x"));
    assertEquals("Hi", other.decode(tokenizer.encode("Hi")));
  }

  @Test
  void files_that_hold_no_such_tokenizer_are_named() throws IOException {
    Path file = folder.resolve("tokenizer.json");
    assertThrows(IOException.class, () -> QwenTokenizer.open(file));
    String given = Files.readString(Golden.file("tokenizer/tokenizer.json"));
    for (String text :
        List.of("", "{", "{}", given.replace("\"ByteLevel\"", "\"Metaspace\""),
            given.replace("\"BPE\"", "\"XYZ\""))) {
      Files.writeString(file, text);
      IOException refusal = assertThrows(IOException.class, () -> QwenTokenizer.open(file));
      assertTrue(refusal.getMessage().startsWith(file + ": "), refusal.getMessage());
    }
  }
}
