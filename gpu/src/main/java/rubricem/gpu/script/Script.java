package rubricem.gpu.script;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * A loaded program whose methods take lists of arrays and give a list of arrays. Safe for calls
 * from several threads: the program keeps no state, and the names by which DJL tells lists apart
 * belong to the {@link Arrays} that are passed.
 */
public final class Script implements AutoCloseable {
  /** Sees calls while they are made: for writing down what a program takes and gives. */
  public interface Observer {
    /** Before a call; what this gives hears the result before the caller has it. */
    Consumer<NDList> calling(String method, List<Arrays> arguments);
  }

  private static final Observer NOBODY = (method, arguments) -> result -> {};

  private final PtSymbolBlock block;
  private final Observer observer;

  private Script(PtSymbolBlock block, Observer observer) {
    this.block = block;
    this.observer = observer;
  }

  /**
   * Loads a program.
   *
   * @param manager owner of the program; its device is where constants of the program are made
   * @param methods definitions as {@link ScriptArchive#of} takes them
   * @throws ai.djl.engine.EngineException where libtorch cannot compile the text
   */
  public static Script load(NDManager manager, String methods) {
    return load(manager, methods, NOBODY);
  }

  /** The same, seen by somebody. */
  public static Script load(NDManager manager, String methods, Observer observer) {
    VectorMaths.settle(manager);
    try {
      // the profiling executor recompiles on every new shape and was slower on every size tried
      JniUtils.setGraphExecutorOptimize(false);
      return new Script(
          JniUtils.loadModule(
              (PtNDManager) manager,
              new ByteArrayInputStream(ScriptArchive.of(methods)),
              false,
              false),
          observer);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /**
   * Calls a method. Gradients are recorded where a method asks for them itself.
   *
   * @param manager owner of the results
   * @param method its name
   * @param arguments one for each parameter of type {@code List[Tensor]}, in order
   * @return the arrays of the result, flattened
   */
  public NDList call(NDManager manager, String method, Arrays... arguments) {
    return run(manager, method, true, arguments);
  }

  /** Calls a method in inference mode: cheaper, and its results can never take part in a graph. */
  public NDList infer(NDManager manager, String method, Arrays... arguments) {
    return run(manager, method, false, arguments);
  }

  private NDList run(NDManager manager, String method, boolean graph, Arrays... arguments) {
    // DJL takes method and owner from the first array, which is not passed on
    NDArray marker = manager.zeros(new Shape());
    marker.setName("module_method:" + method);
    NDList all = new NDList(marker);
    for (Arrays argument : arguments) {
      all.addAll(argument.list());
    }
    Consumer<NDList> told = observer.calling(method, List.of(arguments));
    try {
      if (graph) {
        // by thread, and off on the one that started the engine
        JniUtils.setGradMode(true);
      }
      NDList result = IValueUtils.forward(block, all, graph);
      told.accept(result);
      return result;
    } finally {
      marker.close();
    }
  }

  @Override
  public void close() {
    block.close();
  }
}
