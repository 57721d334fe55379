package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import rubricem.gpu.weights.SafeTensors;
import rubricem.gpu.weights.StoredTensor;

/** The best vectors by inner product, found by looking at each of them. */
final class SearchCheck {
  /** Scores are handed from 32-bit arithmetic; vectors have length one. */
  private static final double SCORE = 1e-6;

  private final Places places;
  private final String stem;
  private final JsonNode document;

  SearchCheck(Places places, String stem, JsonNode document) {
    this.places = places;
    this.stem = stem;
    this.document = document;
  }

  void run(SafeTensors file) throws IOException {
    places.absent(stem, document, List.of("scores"));
    double[][] vectors = rows(file.tensor("vectors"));
    double[][] queries = rows(file.tensor("queries"));
    int k = (int) Handed.number(document, "k");
    JsonNode ids = Handed.list(document, "ids");
    if (ids.size() != queries.length) {
      throw new HandedProblem(ids.size() + " lists of ids for " + queries.length + " queries");
    }
    for (int i = 0; i < queries.length; i++) {
      double[] scores = scores(vectors, queries[i]);
      int[] best = best(scores, k);
      String name = stem + "/" + i;
      int[] expected = ids(ids.get(i));
      places.checks().accept(Check.equal(name, "ids", Arrays.equals(expected, best)));
      if (document.has("scores")) {
        double[] got = IntStream.of(best).mapToDouble(id -> scores[id]).toArray();
        double[] handed = numbers(document.get("scores").path(i));
        places.checks().accept(
            Check.of(name, "scores", Deviations.absolute(handed, got), SCORE));
      }
    }
  }

  /** The {@code k} highest, the best first; of equal ones the lower id. */
  static int[] best(double[] scores, int k) {
    return IntStream.range(0, scores.length)
        .boxed()
        .sorted(Comparator.<Integer>comparingDouble(id -> -scores[id]).thenComparing(id -> id))
        .limit(k)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static double[] scores(double[][] vectors, double[] query) {
    double[] out = new double[vectors.length];
    for (int v = 0; v < out.length; v++) {
      for (int j = 0; j < query.length; j++) {
        out[v] += vectors[v][j] * query[j];
      }
    }
    return out;
  }

  private static double[][] rows(StoredTensor tensor) {
    if (tensor.shape().length != 2) {
      throw new HandedProblem(tensor + " is no list of vectors");
    }
    int columns = (int) tensor.shape()[1];
    double[] all = tensor.toDoubles();
    double[][] out = new double[(int) tensor.shape()[0]][];
    Arrays.setAll(out, i -> Arrays.copyOfRange(all, i * columns, (i + 1) * columns));
    return out;
  }

  private static int[] ids(JsonNode list) {
    return IntStream.range(0, list.size()).map(i -> list.get(i).asInt(-1)).toArray();
  }

  private static double[] numbers(JsonNode list) {
    return IntStream.range(0, list.size()).mapToDouble(i -> list.get(i).asDouble()).toArray();
  }
}
