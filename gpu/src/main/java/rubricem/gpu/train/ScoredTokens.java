package rubricem.gpu.train;

import java.util.ArrayList;
import java.util.List;
import rubricem.gpu.model.MicroBatch.Document;

/** Between the scored tokens of a micro-batch, one after the other, and the tokens of documents. */
final class ScoredTokens {
  private ScoredTokens() {}

  /** From one value a scored token to one a token, 0 where none was scored. */
  static double[][] spread(List<Document> documents, double[] scored) {
    double[][] out = new double[documents.size()][];
    int at = 0;
    for (int i = 0; i < out.length; i++) {
      boolean[] flags = documents.get(i).scored();
      out[i] = new double[flags.length];
      for (int t = 0; t < flags.length; t++) {
        out[i][t] = flags[t] ? scored[at++] : 0;
      }
    }
    return out;
  }

  /** The way back; rows may lack the prompt, which is never scored. */
  static double[] gather(List<Document> documents, double[][] rows) {
    List<double[]> parts = new ArrayList<>();
    int size = 0;
    for (int i = 0; i < rows.length; i++) {
      boolean[] flags = documents.get(i).scored();
      int missing = flags.length - rows[i].length;
      double[] part = new double[flags.length];
      int n = 0;
      for (int t = missing; t < flags.length; t++) {
        if (flags[t]) {
          part[n++] = rows[i][t - missing];
        }
      }
      parts.add(java.util.Arrays.copyOf(part, n));
      size += n;
    }
    double[] all = new double[size];
    int at = 0;
    for (double[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }
}
