package rubricem.gpu.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.gpu.TinyModel;
import rubricem.gpu.device.DeviceStoppedException;
import rubricem.gpu.weights.SafeTensors;
import rubricem.gpu.weights.StoredTensor;
import rubricem.gpu.weights.TensorSpec;

/** Exported programs as another libtorch has them: an archive, and calls with what they give. */
class ScriptExportTest {
  /** A method that may be called from outside: lists of arrays in and out. */
  private static final Pattern METHOD =
      Pattern.compile(
          "(?m)^ *def (\\w+)\\(self: __torch__\\.M(?:, \\w+: List\\[Tensor\\])+\\)"
              + " -> List\\[Tensor\\]:");

  @TempDir Path scratch;

  @Test
  void every_method_of_an_archive_gives_what_its_sample_says() throws IOException {
    Path folder = scratch.resolve("scripts");
    ScriptExport.tiny(folder, () -> {});
    Set<String> called = new TreeSet<>();
    try (NDManager manager = Engine.getEngine("PyTorch").newBaseManager(Device.cpu())) {
      for (String program : List.of("decode", "model", "weights")) {
        try (InputStream archive = Files.newInputStream(folder.resolve(program + ".pt"));
            PtSymbolBlock block =
                JniUtils.loadModule((PtNDManager) manager, archive, false, false)) {
          for (Path sample : samples(folder, program)) {
            String method = sample.getFileName().toString().split("\\.")[1];
            call(manager, block, method, SafeTensors.open(sample));
            called.add(program + "." + method);
          }
        }
      }
    }
    assertTrue(called.containsAll(decoding(folder)), called + " of " + decoding(folder));
    assertTrue(called.containsAll(List.of("model.backward", "weights.adamw")), called.toString());
  }

  private static Set<String> decoding(Path folder) throws IOException {
    Matcher methods = METHOD.matcher(Files.readString(folder.resolve("decode.py.txt")));
    Set<String> names = new TreeSet<>();
    while (methods.find()) {
      names.add("decode." + methods.group(1));
    }
    assertEquals(8, names.size(), "the methods of the sampling program: " + names);
    return names;
  }

  private static List<Path> samples(Path folder, String program) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(f -> f.getFileName().toString().matches(program + "\\..*\\.safetensors"))
          .sorted()
          .toList();
    }
  }

  private static void call(
      NDManager manager, PtSymbolBlock block, String method, SafeTensors sample)
      throws IOException {
    List<NDList> arguments = lists(manager, sample, "input");
    NDArray marker = manager.zeros(new Shape());
    marker.setName("module_method:" + method);
    NDList all = new NDList(marker);
    for (int i = 0; i < arguments.size(); i++) {
      for (NDArray array : arguments.get(i)) {
        array.setName("a" + i + "[]");
        all.add(array);
      }
    }
    JniUtils.setGradMode(true);
    NDList out = IValueUtils.forward(block, all, true);
    int compared = 0;
    for (TensorSpec spec : sample.specs()) {
      String[] name = spec.name().split("\\.");
      if (!name[0].equals("input")) {
        int i = Integer.parseInt(name[1]);
        NDArray got =
            name[0].equals("output") ? out.get(i) : arguments.get(i).get(Integer.parseInt(name[2]));
        compare(method + " " + spec.name(), sample.tensor(spec.name()).toDoubles(), got);
        compared++;
      }
    }
    assertTrue(compared > 0, method + " gives nothing");
  }

  private static List<NDList> lists(NDManager manager, SafeTensors sample, String kind)
      throws IOException {
    List<NDList> lists = new ArrayList<>();
    for (TensorSpec spec : sample.specs()) {
      String[] name = spec.name().split("\\.");
      if (name[0].equals(kind)) {
        while (lists.size() <= Integer.parseInt(name[1])) {
          lists.add(new NDList());
        }
      }
    }
    for (int i = 0; i < lists.size(); i++) {
      for (int j = 0; sample.spec(kind + "." + i + "." + j).isPresent(); j++) {
        lists.get(i).add(array(manager, sample.tensor(kind + "." + i + "." + j)));
      }
    }
    return lists;
  }

  private static NDArray array(NDManager manager, StoredTensor tensor) {
    Shape shape = new Shape(tensor.shape());
    return switch (tensor.dtype()) {
      case I64 -> manager.create(tensor.toLongs(), shape);
      case F64 -> manager.create(tensor.toDoubles(), shape);
      default -> manager.create(tensor.toFloats(), shape);
    };
  }

  private static void compare(String what, double[] expected, NDArray got) {
    double[] values =
        switch (got.getDataType()) {
          case FLOAT64 -> got.toDoubleArray();
          case FLOAT32 -> doubles(got.toFloatArray());
          default -> throw new AssertionError(what + " is of type " + got.getDataType());
        };
    assertEquals(expected.length, values.length, what);
    for (int i = 0; i < values.length; i++) {
      assertEquals(expected[i], values[i], 1e-5 * (1 + Math.abs(expected[i])), what + " " + i);
    }
  }

  private static double[] doubles(float[] values) {
    double[] out = new double[values.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = values[i];
    }
    return out;
  }

  @Test
  void what_is_stopped_half_way_leaves_nothing() throws IOException {
    Path model = TinyModel.write(scratch.resolve("model"));
    int[] calls = {0};
    assertThrows(
        DeviceStoppedException.class,
        () ->
            ScriptExport.of(
                scratch.resolve("scripts"), model,
                () -> {
                  if (++calls[0] == 5) {
                    throw new DeviceStoppedException();
                  }
                }));
    try (Stream<Path> left = Files.list(scratch)) {
      assertEquals(
          Set.of("model"),
          left.map(f -> f.getFileName().toString()).collect(Collectors.toSet()));
    }
  }
}
