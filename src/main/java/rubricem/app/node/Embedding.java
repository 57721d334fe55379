package rubricem.app.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import rubricem.gpu.embed.MiniLm;
import rubricem.protocol.port.Embedder;

/** The embedding model of a node: loaded once, beside everything else, when it is first wanted. */
public final class Embedding implements AutoCloseable {
  private CompletableFuture<Embedder> model = new CompletableFuture<>();
  private boolean wanted;
  private boolean closed;

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
      MiniLm loaded = MiniLm.open();
      model.complete(loaded);
      synchronized (this) {
        if (closed) {
          loaded.close();
        }
      }
    } catch (Exception | LinkageError e) {
      model.completeExceptionally(e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (model.isDone() && !model.isCompletedExceptionally()) {
      ((MiniLm) model.join()).close();
    }
  }
}
