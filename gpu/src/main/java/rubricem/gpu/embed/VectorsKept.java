package rubricem.gpu.embed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.port.Embedder;

/**
 * An embedder that computes no text twice: the vectors used last are kept, and whoever wants one
 * that is being computed waits for that one. Many questions on the same documents want the same
 * passages and sentences at the same moment. What fails is not kept. Work in the background is of
 * texts that nobody wants twice, and passes by. Whoever gets a vector shares it: it must not be
 * changed. Thread safe.
 */
public final class VectorsKept implements Embedder {
  private final Embedder model;
  private final Map<String, CompletableFuture<float[]>> kept;

  /** @param most vectors kept; a text of a passage and its vector are about 2.5 kB */
  public VectorsKept(Embedder model, int most) {
    this.model = model;
    this.kept = new Latest(most);
  }

  private static final class Latest extends LinkedHashMap<String, CompletableFuture<float[]>> {
    private static final long serialVersionUID = 1L;
    private final int most;

    Latest(int most) {
      super(16, 0.75f, true);
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, CompletableFuture<float[]>> eldest) {
      return size() > most;
    }
  }

  @Override
  public String name() {
    return model.name();
  }

  @Override
  public int dimension() {
    return model.dimension();
  }

  @Override
  public CompletionStage<List<float[]>> embed(List<String> texts) {
    List<CompletableFuture<float[]>> all = new ArrayList<>();
    Map<String, CompletableFuture<float[]>> wanted = new LinkedHashMap<>();
    synchronized (kept) {
      for (String text : texts) {
        CompletableFuture<float[]> known = kept.get(text);
        if (known == null) {
          known = new CompletableFuture<>();
          kept.put(text, known);
          wanted.put(text, known);
        }
        all.add(known);
      }
    }
    wanted.forEach(this::compute);
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }

  /** One text a request: others wait for it who want nothing else of this one. */
  private void compute(String text, CompletableFuture<float[]> vector) {
    CompletionStage<float[]> computed;
    try {
      computed = model.embed(List.of(text)).thenApply(List::getFirst);
    } catch (RuntimeException e) {
      computed = CompletableFuture.failedStage(e);
    }
    computed.whenComplete(
        (one, failure) -> {
          if (failure == null) {
            vector.complete(one);
          } else {
            synchronized (kept) {
              kept.remove(text, vector);
            }
            vector.completeExceptionally(failure);
          }
        });
  }

  @Override
  public CompletionStage<List<float[]>> embedInBackground(List<String> texts) {
    return model.embedInBackground(texts);
  }
}
