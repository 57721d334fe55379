package rubricem.gpu.script;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import java.util.List;

/**
 * Arrays that are one argument of a {@link Script}. Their names are set here, once: DJL groups
 * arrays of one name into one list, so an array may be part of one such argument only.
 */
public final class Arrays {
  private final NDList list;

  private Arrays(String name, List<? extends NDArray> arrays) {
    if (arrays.isEmpty()) {
      throw new IllegalArgumentException("an argument of a script needs at least one array");
    }
    list = new NDList(arrays.size());
    for (NDArray array : arrays) {
      array.setName(name + "[]");
      list.add(array);
    }
  }

  private Arrays(NDList named) {
    list = named;
  }

  /** Names {@code arrays} as the argument {@code name}; two arguments of one call differ in it. */
  public static Arrays of(String name, List<? extends NDArray> arrays) {
    return new Arrays(name, arrays);
  }

  public static Arrays of(String name, NDArray... arrays) {
    return new Arrays(name, List.of(arrays));
  }

  /** The same arrays as another argument; the former name is theirs no longer. */
  public Arrays renamed(String name) {
    return new Arrays(name, list);
  }

  /** Some of the arrays, in the order of their indices, as the same argument. */
  public Arrays pick(int... indices) {
    NDList picked = new NDList(indices.length);
    for (int index : indices) {
      picked.add(list.get(index));
    }
    return new Arrays(picked);
  }

  public NDArray get(int index) {
    return list.get(index);
  }

  public int size() {
    return list.size();
  }

  NDList list() {
    return list;
  }
}
