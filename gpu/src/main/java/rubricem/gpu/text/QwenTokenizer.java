package rubricem.gpu.text;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import rubricem.gpu.weights.UnusableFolderException;

/**
 * The tokenizer of a model folder, from its {@code tokenizer.json} alone and without any network.
 * Nothing is added to a text and nothing is cut from it; special tokens written in it become those
 * tokens, so text from outside has to be made harmless before it comes here. All methods may be
 * called by any thread; after {@link #close} they refuse, and closing waits for those that run.
 */
public final class QwenTokenizer implements AutoCloseable {
  /** Qwen's has 11 MB; a file beyond this is something else. */
  private static final long FILE_BYTES_MAX = 256L << 20;

  private final Path file;
  private static final List<String> CONVERSATION = List.of("<|im_start|>", "<|im_end|>");

  private final HuggingFaceTokenizer tokenizer;
  private final TokenBytes bytes;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile boolean converses;
  private boolean closed;

  private QwenTokenizer(Path file, HuggingFaceTokenizer tokenizer, TokenBytes bytes) {
    this.file = file;
    this.tokenizer = tokenizer;
    this.bytes = bytes;
  }

  /** @param file a {@code tokenizer.json} */
  public static QwenTokenizer open(Path file) throws IOException {
    if (!Files.isRegularFile(file) || Files.size(file) > FILE_BYTES_MAX) {
      throw new UnusableFolderException(file, "no tokenizer; a tokenizer.json is needed");
    }
    // DJL would otherwise report its use to its makers and look for newer native libraries
    System.setProperty("ai.djl.offline", "true");
    System.setProperty("OPT_OUT_TRACKING", "true");
    byte[] json = Files.readAllBytes(file);
    try {
      TokenBytes bytes = TokenBytes.read(json);
      HuggingFaceTokenizer tokenizer =
          HuggingFaceTokenizer.newInstance(
              new ByteArrayInputStream(json),
              Map.of("addSpecialTokens", "false", "padding", "false", "truncation", "false"));
      return new QwenTokenizer(file, tokenizer, bytes);
    } catch (IOException | RuntimeException e) {
      throw new UnusableFolderException(
          file, "the tokenizer cannot be read: " + String.valueOf(e.getMessage()).strip());
    }
  }

  /** Half of a surrogate pair, which no file can hold, becomes the replacement character. */
  public int[] encode(String text) {
    String whole = withoutLoneSurrogates(text);
    lock.readLock().lock();
    try {
      refuseWhenClosed();
      long[] ids = tokenizer.encode(whole, false, false).getIds();
      return Arrays.stream(ids).mapToInt(Math::toIntExact).toArray();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** With special tokens as their names; what is no character becomes the replacement character. */
  public String decode(int[] ids) {
    IncrementalText text = new IncrementalText(bytes);
    StringBuilder out = new StringBuilder();
    for (int id : ids) {
      out.append(text.add(id));
    }
    return out.append(text.finish()).toString();
  }

  /** What every token stands for; usable after {@link #close} too. */
  public TokenBytes bytes() {
    return bytes;
  }

  /** The id of a token such as {@code <|im_end|>}. */
  public OptionalInt id(String token) {
    return bytes.id(token);
  }

  /**
   * For whoever renders conversations: their marks must be tokens, or every one would be read as
   * the letters it is written with, and no turn would ever end.
   *
   * @throws IllegalArgumentException where they are none
   */
  public QwenTokenizer conversing() {
    for (String mark : converses ? List.<String>of() : CONVERSATION) {
      if (encode(mark).length != 1) {
        throw new IllegalArgumentException(
            file + " has no token " + mark + ", which conversations are written with; take the"
                + " tokenizer of a Qwen3, or give tokens");
      }
    }
    converses = true;
    return this;
  }

  private static String withoutLoneSurrogates(String text) {
    StringBuilder out = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        out = out == null ? new StringBuilder(text) : out;
        out.setCharAt(i, '\ufffd');
      }
    }
    return out == null ? text : out.toString();
  }

  private void refuseWhenClosed() {
    if (closed) {
      throw new IllegalStateException(file + ": the tokenizer is closed");
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        tokenizer.close();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
