package rubricem.gpu.embed;

import ai.djl.Device;
import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.inference.Predictor;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.translate.NoopTranslator;
import ai.djl.translate.TranslateException;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import rubricem.protocol.port.Embedder;

/**
 * all-MiniLM-L6-v2 with 8-bit weights, run by ONNX Runtime through DJL on the CPU. The model file
 * comes with the build, so nothing is downloaded. A few platform threads, each with a predictor of
 * its own, take one text after the other from a queue in which queries pass background work; no
 * array leaves its thread. One text at a time needs half the work of a batch here, because nothing
 * is padded, and leaves a query waiting for milliseconds. A text beyond 256 tokens is embedded by
 * its beginning.
 */
public final class MiniLm implements Embedder, AutoCloseable {
  /** Changes whenever the same text gives another vector: indexes are then embedded again. */
  private static final String NAME = "all-minilm-l6-v2-q/256";

  private static final int DIMENSION = 384;

  /** What the model was trained for; longer input only costs time. */
  private static final int TOKENS_MAX = 256;

  /** Characters beyond it cannot matter: no 256 tokens of any language are longer. */
  private static final int CHARS_MAX = 8_000;

  /** Some megabytes of text; the indexing waits for its own requests and never comes near. */
  private static final int WAITING_MAX = 4_096;

  private final EmbedQueue queue = new EmbedQueue(WAITING_MAX);
  private final CountDownLatch ended;
  private final Model model;
  private final HuggingFaceTokenizer tokenizer;

  private MiniLm(Model model, HuggingFaceTokenizer tokenizer, int threads) {
    this.model = model;
    this.tokenizer = tokenizer;
    this.ended = new CountDownLatch(threads);
  }

  /** Loads the model on the calling thread and starts at most two threads for it. */
  public static MiniLm open() throws IOException {
    return open(Math.min(2, Runtime.getRuntime().availableProcessors()));
  }

  /** @param threads computing at once; more than there are cores slows it down */
  public static MiniLm open(int threads) throws IOException {
    // DJL would otherwise report its use to its makers and look for newer native libraries
    System.setProperty("ai.djl.offline", "true");
    System.setProperty("OPT_OUT_TRACKING", "true");
    MiniLm miniLm = new MiniLm(model(), tokenizer(), threads);
    for (int i = 1; i <= threads; i++) {
      Thread thread = new Thread(miniLm::work, "embedding-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    return miniLm;
  }

  private static Model model() throws IOException {
    Model model = Model.newInstance("all-minilm-l6-v2-q", Device.cpu(), "OnnxRuntime");
    try (InputStream file = resource("/all-minilm-l6-v2-q.onnx")) {
      OrtEnvironment.getEnvironment();
      OrtSession.SessionOptions options = new OrtSession.SessionOptions();
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      model.load(file, Map.of("sessionOptions", options));
      return model;
    } catch (OrtException | MalformedModelException e) {
      model.close();
      throw new IOException("the embedding model cannot be loaded: " + e.getMessage(), e);
    }
  }

  private static HuggingFaceTokenizer tokenizer() throws IOException {
    try (InputStream file = resource("/all-minilm-l6-v2-q-tokenizer.json")) {
      String length = Integer.toString(TOKENS_MAX);
      return HuggingFaceTokenizer.newInstance(
          file,
          Map.of("padding", "false", "truncation", "true", "maxLength", length,
              "modelMaxLength", length));
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = MiniLm.class.getResourceAsStream(name);
    if (in == null) {
      throw new IOException("the embedding model is not on the class path: " + name);
    }
    return in;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int dimension() {
    return DIMENSION;
  }

  @Override
  public CompletionStage<List<float[]>> embed(List<String> texts) {
    return queue.add(bounded(texts), true);
  }

  @Override
  public CompletionStage<List<float[]>> embedInBackground(List<String> texts) {
    return queue.add(bounded(texts), false);
  }

  private static List<String> bounded(List<String> texts) {
    return texts.stream().map(t -> t.substring(0, Math.min(t.length(), CHARS_MAX))).toList();
  }

  private void work() {
    try (Predictor<NDList, NDList> predictor = model.newPredictor(new NoopTranslator(null))) {
      for (Optional<EmbedQueue.Wanted> next = queue.take();
          next.isPresent();
          next = queue.take()) {
        embed(next.get(), predictor);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      queue.close();
      ended.countDown();
    }
  }

  private void embed(EmbedQueue.Wanted wanted, Predictor<NDList, NDList> predictor) {
    if (wanted.isVoid()) {
      return;
    }
    try (NDManager scope = model.getNDManager().newSubManager()) {
      wanted.done(vector(tokenizer.encode(wanted.text()), predictor, scope));
    } catch (TranslateException | RuntimeException e) {
      wanted.failed(e);
    }
  }

  private static float[] vector(
      Encoding text, Predictor<NDList, NDList> predictor, NDManager scope)
      throws TranslateException {
    NDList input =
        new NDList(
            array(scope, "input_ids", text.getIds()),
            array(scope, "attention_mask", text.getAttentionMask()),
            array(scope, "token_type_ids", text.getTypeIds()));
    try (NDList output = predictor.predict(input)) {
      return pooled(output.getFirst().toFloatArray(), text.getIds().length);
    }
  }

  private static NDArray array(NDManager scope, String name, long[] values) {
    NDArray array = scope.create(values, new Shape(1, values.length));
    array.setName(name);
    return array;
  }

  /** The mean over the tokens, scaled to length 1. */
  static float[] pooled(float[] hidden, int tokens) {
    float[] sum = new float[hidden.length / tokens];
    for (int i = 0; i < hidden.length; i++) {
      sum[i % sum.length] += hidden[i];
    }
    scale(sum);
    return sum;
  }

  private static void scale(float[] vector) {
    double squares = 0;
    for (float x : vector) {
      squares += (double) x * x;
    }
    double factor = 1 / Math.max(1e-12, Math.sqrt(squares));
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) (vector[i] * factor);
    }
  }

  /** Fails what waits, lets the texts under way end and frees the model. */
  @Override
  public void close() {
    queue.close();
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    tokenizer.close();
    model.close();
  }
}
