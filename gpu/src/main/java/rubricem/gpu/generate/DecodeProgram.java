package rubricem.gpu.generate;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.QwenProgram;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.script.Script;
import rubricem.gpu.weights.QwenShape;

/**
 * The decoding program with its arguments as Java has them. One program serves every version of
 * the weights of one shape, and several threads at once.
 */
final class DecodeProgram implements AutoCloseable {
  /** What a drawing gives, for each row: an id, or -1 where the logits are not finite. */
  record Drawn(double[] values, int rows) {
    int id(int row) {
      return (int) values[row];
    }

    double sampled(int row) {
      return values[rows + row];
    }

    double policy(int row) {
      return values[2 * rows + row];
    }
  }

  private final QwenShape shape;
  private final Precision precision;
  private final NDManager manager;
  private final Script script;

  DecodeProgram(Snapshot first) {
    this(first, (method, arguments) -> result -> {});
  }

  /** @param observer sees every call, on the thread that makes it */
  DecodeProgram(Snapshot first, Script.Observer observer) {
    shape = first.shape();
    precision = first.precision();
    manager = Engine.getEngine("PyTorch").newBaseManager(first.device());
    script = Script.load(manager, QwenProgram.decode(shape, precision), observer);
  }

  QwenShape shape() {
    return shape;
  }

  boolean fits(Snapshot snapshot) {
    return snapshot.shape().equals(shape)
        && snapshot.precision() == precision
        && snapshot.device().equals(manager.getDevice());
  }

  NDManager newManager() {
    return Engine.getEngine("PyTorch").newBaseManager(manager.getDevice());
  }

  private DataType type() {
    return precision == Precision.FP64 ? DataType.FLOAT64 : DataType.FLOAT32;
  }

  /** A cache with nothing in it. */
  Arrays emptyCache(NDManager owner) {
    return Arrays.of("c", owner.zeros(new Shape(1), type()));
  }

  Arrays resized(NDManager owner, Arrays cache, int slots, int positions, int used) {
    long[] to = {2L * shape.layers(), slots, shape.kvHeads(), positions, shape.headSize(), used};
    try (NDManager scope = owner.newSubManager()) {
      return Arrays.of(
          "c", script.infer(owner, "resize", cache, Arrays.of("b", row(scope, to))));
    }
  }

  void copy(NDManager owner, Arrays cache, int from, int to, int positions) {
    run(owner, "copy", cache, from, to, positions);
  }

  void wipe(NDManager owner, Arrays cache, int slot) {
    run(owner, "wipe", cache, slot);
  }

  NDArray save(NDManager owner, Arrays cache, int slot, int positions) {
    try (NDManager scope = owner.newSubManager()) {
      return script
          .infer(owner, "save", cache, Arrays.of("b", row(scope, slot, positions)))
          .get(0);
    }
  }

  void restore(NDManager owner, Arrays cache, Arrays saved, int slot, int positions) {
    try (NDManager scope = owner.newSubManager()) {
      script.infer(scope, "restore", cache, saved, Arrays.of("b", row(scope, slot, positions)));
    }
  }

  private void run(NDManager owner, String method, Arrays cache, long... numbers) {
    try (NDManager scope = owner.newSubManager()) {
      script.infer(scope, method, cache, Arrays.of("b", row(scope, numbers)));
    }
  }

  /**
   * One chunk of some prompts.
   *
   * @param ids [rows, tokens] padded on the right with any token
   * @param places slots, then first positions, then the index of each row's last token
   * @return logits of the last tokens, owned by {@code scope}
   */
  NDArray prompt(
      NDManager scope, Snapshot weights, Arrays cache, long[] ids, int rows, long[] places,
      boolean fresh, int seen) {
    Arrays b =
        Arrays.of(
            "b",
            scope.create(ids, new Shape(rows, ids.length / rows)),
            scope.create(places, new Shape(3, rows)),
            scope.create(new long[] {fresh ? 1 : 0, seen}));
    return script.infer(scope, "prompt", weights.weights(), cache, weights.rope(), b).get(0);
  }

  /** The first tokens after prompts; {@code from} is the row of logits for each drawing. */
  Drawn draw(NDManager scope, NDArray logits, long[] from, Draws draws) {
    Arrays b =
        Arrays.of(
            "b",
            scope.create(from),
            draws.array(scope),
            scope.create(draws.counts(0, shape.vocabulary())));
    return drawn(script.infer(scope, "draw", Arrays.of("l", logits), b).get(0), draws.rows());
  }

  /**
   * One step of the first rows.
   *
   * @param tokens ids, then positions
   * @param seen one more than the largest position
   */
  Drawn step(
      NDManager scope, Snapshot weights, Arrays cache, long[] tokens, int seen, Draws draws) {
    Arrays b =
        Arrays.of(
            "b",
            scope.create(tokens, new Shape(2, draws.rows())),
            draws.array(scope),
            scope.create(draws.counts(seen, shape.vocabulary())));
    NDArray out =
        script.infer(scope, "step", weights.weights(), cache, weights.rope(), b).get(0);
    return drawn(out, draws.rows());
  }

  private static Drawn drawn(NDArray out, int rows) {
    return new Drawn(out.toDoubleArray(), rows);
  }

  private static NDArray row(NDManager scope, long... numbers) {
    return scope.create(numbers);
  }

  @Override
  public void close() {
    script.close();
    manager.close();
  }
}
