package rubricem.gpu.model;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.QwenTensors;
import rubricem.gpu.weights.StoredTensor;

/**
 * Qwen3 once more, as its formulas are, one document after the other, in DJL's array operations and
 * 64 bits, with the gradients of automatic differentiation. Where a gradient needs a number, the
 * number is an array that lives as long as the graph: DJL's {@code div(Number)} closes its own, whose
 * memory the next garbage collection takes away while the graph still points at it. It shares the
 * weights' names and the table of rotations with the model, and nothing else.
 */
final class AutogradQwen3 implements AutoCloseable {
  private final QwenShape shape;
  private final NDManager manager;
  private final Map<String, NDArray> weights = new LinkedHashMap<>();
  private final NDArray rope;

  /** What came out. */
  record Result(double[] logProbs, double[] entropies, Map<String, double[]> gradients) {}

  AutogradQwen3(QwenShape shape, Map<String, StoredTensor> stored) {
    this.shape = shape;
    manager = Engine.getEngine("PyTorch").newBaseManager(Device.cpu());
    for (String name : QwenTensors.shapes(shape).keySet()) {
      StoredTensor tensor = stored.get(name);
      weights.put(name, manager.create(tensor.toDoubles(), new Shape(tensor.shape())));
    }
    rope = RopeTable.create(manager, shape, Precision.FP64, ReferenceRounding.NONE);
  }

  /** @param slopes derivative of the loss by each scored token's log-probability, in order */
  Result run(List<Document> documents, double[] slopes) {
    return run(documents, slopes, 1);
  }

  /** The same at a temperature. */
  Result run(List<Document> documents, double[] slopes, double heat) {
    weights.values().forEach(w -> w.setRequiresGradient(true));
    double[] all = new double[slopes.length];
    double[] entropies = new double[slopes.length];
    try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector();
        NDManager scope = manager.newSubManager()) {
      int at = 0;
      NDArray loss = scope.create(0.0);
      for (Document document : documents) {
        NDArray rows = distributions(scope, document, heat);
        System.arraycopy(
            rows.exp().mul(rows).sum(new int[] {1}).neg().toDoubleArray(), 0, entropies, at,
            (int) rows.getShape().get(0));
        NDArray logProbs = chosen(scope, document, rows);
        double[] own = logProbs.toDoubleArray();
        System.arraycopy(own, 0, all, at, own.length);
        NDArray slope = scope.create(Arrays.copyOfRange(slopes, at, at + own.length));
        loss = loss.add(logProbs.mul(slope).sum());
        at += own.length;
      }
      collector.backward(loss);
    }
    Map<String, double[]> gradients = new LinkedHashMap<>();
    weights.forEach((name, w) -> gradients.put(name, w.getGradient().toDoubleArray()));
    return new Result(all, entropies, gradients);
  }

  private NDArray chosen(NDManager scope, Document document, NDArray rows) {
    NDArray targets =
        rowsBefore(scope, document).matMul(oneHot(scope, document.ids(), 1, document.ids().length));
    return rows.mul(targets).sum(new int[] {1});
  }

  /** Log-probabilities of all tokens, for each scored one. */
  private NDArray distributions(NDManager scope, Document document, double heat) {
    int length = document.ids().length;
    NDArray x = oneHot(scope, document.ids(), 0, length).matMul(weights.get(QwenTensors.EMBEDDING));
    for (int layer = 0; layer < shape.layers(); layer++) {
      x = x.add(attention(scope, layer, norm(x, layer(layer, "input_layernorm"))));
      x = x.add(feedForward(layer, norm(x, layer(layer, "post_attention_layernorm"))));
    }
    String head = shape.tied() ? QwenTensors.EMBEDDING : QwenTensors.HEAD;
    NDArray logits =
        norm(x, weights.get(QwenTensors.LAST_NORM)).matMul(weights.get(head).transpose());
    return rowsBefore(scope, document).matMul(logits.div(scope.create(heat)).logSoftmax(-1));
  }

  /** Chooses, for each scored token, the row before it. */
  private NDArray rowsBefore(NDManager scope, Document document) {
    int length = document.ids().length;
    int count = 0;
    double[] chosen = new double[length * length];
    for (int t = 1; t < length; t++) {
      if (document.scored()[t]) {
        chosen[count++ * length + t - 1] = 1;
      }
    }
    return scope.create(Arrays.copyOf(chosen, count * length), new Shape(count, length));
  }

  /** Row t is the token {@code from + t}; beyond the last one zeros. */
  private NDArray oneHot(NDManager scope, int[] ids, int from, int length) {
    double[] values = new double[length * shape.vocabulary()];
    for (int t = 0; t + from < length; t++) {
      values[t * shape.vocabulary() + ids[t + from]] = 1;
    }
    return scope.create(values, new Shape(length, shape.vocabulary()));
  }

  private NDArray layer(int layer, String part) {
    return weights.get(QwenTensors.layer(layer, part + ".weight"));
  }

  private NDArray norm(NDArray x, NDArray weight) {
    int last = x.getShape().dimension() - 1;
    NDArray mean = x.mul(x).mean(new int[] {last}, true);
    return x.div(mean.add(shape.rmsEpsilon()).sqrt()).mul(weight);
  }

  private NDArray attention(NDManager scope, int layer, NDArray x) {
    long length = x.getShape().get(0);
    int size = shape.headSize();
    NDArray q = heads(x, layer(layer, "self_attn.q_proj"), shape.heads());
    NDArray k = heads(x, layer(layer, "self_attn.k_proj"), shape.kvHeads());
    NDArray v = heads(x, layer(layer, "self_attn.v_proj"), shape.kvHeads());
    q = rotated(norm(q, layer(layer, "self_attn.q_norm")), length);
    k = rotated(norm(k, layer(layer, "self_attn.k_norm")), length);
    int shared = shape.heads() / shape.kvHeads();
    k = k.repeat(1, shared).transpose(1, 0, 2);
    v = v.repeat(1, shared).transpose(1, 0, 2);
    NDArray products = q.transpose(1, 0, 2).matMul(k.transpose(0, 2, 1));
    NDArray scores = products.div(scope.create(Math.sqrt(size)));
    NDArray p = scores.add(mask(scope, (int) length)).softmax(-1);
    NDArray out = p.matMul(v).transpose(1, 0, 2).reshape(length, (long) shape.heads() * size);
    return out.matMul(layer(layer, "self_attn.o_proj").transpose());
  }

  private NDArray heads(NDArray x, NDArray weight, int heads) {
    return x.matMul(weight.transpose())
        .reshape(x.getShape().get(0), heads, shape.headSize());
  }

  private NDArray rotated(NDArray x, long length) {
    NDArray table = rope.get("0:" + length);
    NDArray cos = table.get(":, :, 0").expandDims(1);
    NDArray sin = table.get(":, :, 1").expandDims(1);
    NDList halves = x.split(2, 2);
    NDArray first = halves.get(0).mul(cos).sub(halves.get(1).mul(sin));
    NDArray second = halves.get(1).mul(cos).add(halves.get(0).mul(sin));
    return first.concat(second, 2);
  }

  private static NDArray mask(NDManager scope, int length) {
    double[] values = new double[length * length];
    for (int t = 0; t < length; t++) {
      Arrays.fill(values, t * length + t + 1, (t + 1) * length, -1e30);
    }
    return scope.create(values, new Shape(length, length)).toType(DataType.FLOAT64, false);
  }

  private NDArray feedForward(int layer, NDArray x) {
    NDArray gate = x.matMul(layer(layer, "mlp.gate_proj").transpose());
    NDArray up = x.matMul(layer(layer, "mlp.up_proj").transpose());
    NDArray hidden = gate.mul(Activation.sigmoid(gate)).mul(up);
    return hidden.matMul(layer(layer, "mlp.down_proj").transpose());
  }

  @Override
  public void close() {
    manager.close();
  }
}
