package rubricem.app.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rubricem.gpu.embed.MiniLm;
import rubricem.gpu.embed.VectorsKept;
import rubricem.protocol.port.Embedder;

/** The embedding model of a node: loaded once, beside everything else, when it is first wanted. */
public final class Embedding implements AutoCloseable {
  /** It takes about a second; more means that it hangs. */
  private static final long LOAD_SECONDS_MAX = 10;

  private static final Logger LOG = LoggerFactory.getLogger(Embedding.class);

  private final CompletableFuture<MiniLm> loaded = new CompletableFuture<>();
  private final CompletionStage<Embedder> model;
  private boolean wanted;
  private boolean closed;

  /** @param vectorsKept see {@link VectorsKept} */
  public Embedding(int vectorsKept) {
    model = loaded.thenApply(miniLm -> new VectorsKept(miniLm, vectorsKept));
  }

  /** Starts loading; completes when the model is there and fails where it cannot be loaded. */
  public synchronized CompletionStage<Embedder> model() {
    if (!wanted && !closed) {
      wanted = true;
      Thread.ofPlatform().name("embedding-load").daemon().start(this::load);
    }
    return model;
  }

  private void load() {
    try {
      loaded.complete(MiniLm.open());
    } catch (Exception | LinkageError e) {
      loaded.completeExceptionally(e);
    }
  }

  /** Waits for a load under way: a process that ends in the middle of one crashes. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (!wanted) {
        return;
      }
    }
    try {
      loaded.get(LOAD_SECONDS_MAX, TimeUnit.SECONDS).close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("there was no model to close", e);
    }
  }
}
