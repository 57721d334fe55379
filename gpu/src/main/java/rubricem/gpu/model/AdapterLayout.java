package rubricem.gpu.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.QwenTensors;

/**
 * The arrays of an adapter in the order of the programs: layer by layer, module by module, A then
 * B. Rows of B that belong to queries and keys are interleaved like those of the matrix they are
 * added to.
 */
record AdapterLayout(List<Slot> slots) {
  /**
   * One array.
   *
   * @param name PEFT's
   * @param module the linear layer, as PEFT's file names it
   * @param up whether it is B
   * @param order for each row, the row it has in the file
   */
  record Slot(String name, String module, boolean up, int[] order, int columns) {
    /** Copies the file's rows into ours; both arrays hold float or both double. */
    void fuse(Object file, Object ours) {
      for (int i = 0; i < order.length; i++) {
        System.arraycopy(file, order[i] * columns, ours, i * columns, columns);
      }
    }

    void part(Object ours, Object file) {
      for (int i = 0; i < order.length; i++) {
        System.arraycopy(ours, i * columns, file, order[i] * columns, columns);
      }
    }

    long[] shape() {
      return new long[] {order.length, columns};
    }
  }

  static AdapterLayout of(QwenShape shape, Adapted adapted, int rank) {
    List<Slot> slots = new ArrayList<>();
    for (int layer = 0; layer < shape.layers(); layer++) {
      for (Adapted.Module kind : adapted.modules()) {
        String module = QwenTensors.layer(layer, kind.path());
        int[] rows = FusedLayout.plain(rank);
        slots.add(new Slot(LoraFolder.downName(module), module, false, rows, inputs(kind, shape)));
        slots.add(new Slot(LoraFolder.upName(module), module, true, outputs(kind, shape), rank));
      }
    }
    return new AdapterLayout(List.copyOf(slots));
  }

  private static int inputs(Adapted.Module kind, QwenShape s) {
    return switch (kind) {
      case Q_PROJ, K_PROJ, V_PROJ, GATE_PROJ, UP_PROJ -> s.hidden();
      case O_PROJ -> s.heads() * s.headSize();
      case DOWN_PROJ -> s.intermediate();
    };
  }

  private static int[] outputs(Adapted.Module kind, QwenShape s) {
    return switch (kind) {
      case Q_PROJ -> FusedLayout.rotated(s.heads(), s.headSize());
      case K_PROJ -> FusedLayout.rotated(s.kvHeads(), s.headSize());
      case V_PROJ -> FusedLayout.plain(s.kvHeads() * s.headSize());
      case O_PROJ, DOWN_PROJ -> FusedLayout.plain(s.hidden());
      case GATE_PROJ, UP_PROJ -> FusedLayout.plain(s.intermediate());
    };
  }

  List<String> names() {
    return IntStream.range(0, slots.size()).mapToObj(i -> slots.get(i).name()).toList();
  }
}
