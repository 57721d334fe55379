package rubricem.protocol.port;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Turns texts into vectors of length 1, so that their inner product is the cosine. */
public interface Embedder {
  /** Name and version of the model; vectors of another name are not comparable. */
  String name();

  int dimension();

  /** One vector a text, in order. Fails only where the model itself does. */
  CompletionStage<List<float[]>> embed(List<String> texts);

  /** The same for work that nobody waits for: it lets every other request pass. */
  default CompletionStage<List<float[]>> embedInBackground(List<String> texts) {
    return embed(texts);
  }
}
