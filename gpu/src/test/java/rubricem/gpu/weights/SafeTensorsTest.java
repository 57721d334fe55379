package rubricem.gpu.weights;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import rubricem.gpu.Golden;

class SafeTensorsTest {
  @TempDir Path folder;

  @Test
  void what_is_written_is_read_with_every_type_aligned() throws IOException {
    List<StoredTensor> tensors =
        List.of(
            new StoredTensor("odd", Dtype.U8, new long[] {3}, ByteBuffer.wrap(new byte[3])),
            StoredTensor.of("half", Dtype.BF16, new long[] {3}, new float[] {1, -2, 3}),
            StoredTensor.of("empty", Dtype.F32, new long[] {0, 4}, new float[0]),
            StoredTensor.of("wide", Dtype.F64, new long[] {1, 2}, new double[] {Math.PI, -0.0}),
            StoredTensor.of("ids", new long[] {2}, new long[] {Long.MIN_VALUE, 7}),
            StoredTensor.of("scalar", Dtype.F32, new long[0], new float[] {5}));
    Path file = folder.resolve("x.safetensors");
    SafeTensors.write(file, tensors);
    SafeTensors read = SafeTensors.open(file);
    assertEquals(SafeTensors.PYTORCH, read.metadata());
    for (StoredTensor tensor : tensors) {
      assertEquals(tensor, read.tensor(tensor.name()));
    }
    assertEquals(
        List.of("wide", "ids", "empty", "scalar", "half", "odd"),
        read.specs().stream().map(TensorSpec::name).toList());
    long body = 16 + 16 + 4 + 6 + 3;
    assertEquals(0, (Files.size(file) - body) % 8, "the body begins at a multiple of eight");
    assertArrayEquals(new double[] {Math.PI, -0.0}, read.tensor("wide").toDoubles());
    assertArrayEquals(new long[] {Long.MIN_VALUE, 7}, read.tensor("ids").toLongs());
    assertArrayEquals(new float[] {1, -2, 3}, read.tensor("half").toFloats());
    assertEquals(List.of(file), Files.list(folder).toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"F64", "F32", "F16", "BF16"})
  void reals_go_through_every_type_and_back(Dtype dtype) {
    float[] values = {0, -0f, 1, -2.5f, Float.POSITIVE_INFINITY, 0x1p-14f};
    long[] shape = {2, 3};
    StoredTensor tensor = StoredTensor.of("x", dtype, shape, values);
    assertArrayEquals(values, tensor.toFloats());
    assertEquals(tensor, StoredTensor.of("x", dtype, shape, tensor.toDoubles()));
    assertTrue(Float.isNaN(StoredTensor.of("x", dtype, new long[] {}, new float[] {Float.NaN})
        .toFloats()[0]));
  }

  @Test
  void a_handed_file_is_written_again_byte_for_byte() throws IOException {
    Path given = Golden.file("qwen3-tied/model.safetensors");
    SafeTensors.write(folder.resolve("again"), SafeTensors.open(given).tensors());
    assertEquals(-1, Files.mismatch(given, folder.resolve("again")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a":{F,SHAPE:[2],AT:[0,8]},"b":{F,SHAPE:[1],AT:[4,8]}} | 8 | overlaps
          {"a":{F,SHAPE:[1],AT:[0,4]},"b":{F,SHAPE:[1],AT:[8,12]}} | 12 | gap
          {"a":{F,SHAPE:[1],AT:[4,8]}} | 8 | gap
          {"a":{F,SHAPE:[3],AT:[0,8]}} | 8 | needs 12 bytes
          {"a":{F,SHAPE:[2],AT:[0,8]}} | 7 | cut off
          {"a":{F,SHAPE:[2],AT:[0,8]}} | 9 | damaged
          {"a":{F,SHAPE:[2],AT:[8,0]}} | 8 | offsets
          {"a":{F,SHAPE:[2],AT:[0]}} | 8 | offsets
          {"a":{F,SHAPE:[-2],AT:[0,8]}} | 8 | -2
          {"a":{F,SHAPE:[2.5],AT:[0,8]}} | 8 | 2.5
          {"a":{F,SHAPE:[4294967296,4294967296],AT:[0,0]}} | 0 | overflows
          {"a":{F,SHAPE:[18446744073709551618],AT:[0,8]}} | 8 | 18446744073709551618
          {"a":{"dtype":"Q4",SHAPE:[2],AT:[0,8]}} | 8 | 'Q4'
          {"a":{F,AT:[0,8]}} | 8 | no shape
          {"a":{F,SHAPE:[1],AT:[0,4]},"a":{F,SHAPE:[1],AT:[4,8]}} | 8 | Duplicate
          {"a":{F,F,SHAPE:[1],AT:[0,4]}} | 4 | Duplicate
          {"__metadata__":{"format":1}} | 0 | metadata
          {"a":{F,SHAPE | 0 | JSON
          ["a"] | 0 | header
          {"a":3} | 0 | the element type ''
          """)
  void a_header_that_does_not_add_up_is_refused(String header, int body, String reason)
      throws IOException {
    String whole =
        header
            .replace("F,", "\"dtype\":\"F32\",")
            .replace("SHAPE", "\"shape\"")
            .replace("AT", "\"data_offsets\"");
    byte[] text = whole.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(8 + text.length + body).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(text.length).put(text);
    String message = refusal(out.array());
    assertTrue(message.contains(reason), message);
  }

  @Test
  void no_prefix_of_a_file_is_taken_for_a_whole_one() throws IOException {
    Path file = folder.resolve("whole");
    SafeTensors.write(
        file, List.of(StoredTensor.of("a", Dtype.F32, new long[] {3}, new float[] {1, 2, 3})));
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      refusal(Arrays.copyOf(whole, length));
    }
    refusal(Arrays.copyOf(whole, whole.length + 1));
  }

  private String refusal(byte[] content) throws IOException {
    Path file = folder.resolve("bad");
    Files.write(file, content);
    return assertThrows(UnusableFolderException.class, () -> SafeTensors.open(file)).getMessage();
  }

  @Test
  void lengths_beyond_any_header_are_refused_before_anything_is_read() throws IOException {
    for (long length : new long[] {-1, 0, 1, 100_000_001, Long.MAX_VALUE}) {
      byte[] bytes =
          ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(length).array();
      assertTrue(refusal(bytes).contains("a header of"), () -> "" + length);
    }
  }

  @Test
  void tensors_behind_two_gigabytes_are_read() throws IOException {
    long front = 2_300_000_000L;
    String header =
        """
        {"front":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]},\
        "back":{"dtype":"F32","shape":[1],"data_offsets":[%d,%d]}}"""
            .formatted(front, front, front, front + 4);
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    Path file = folder.resolve("large");
    // sparse: the file has a hole where the front would be
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer first = ByteBuffer.allocate(8 + text.length).order(ByteOrder.LITTLE_ENDIAN);
      out.write(first.putLong(text.length).put(text).flip(), 0);
      out.write(ByteBuffer.wrap(new byte[] {0, 0, (byte) 0x80, 0x3f}), 8 + text.length + front);
    }
    SafeTensors read = SafeTensors.open(file);
    assertArrayEquals(new float[] {1}, read.tensor("back").toFloats());
    String message =
        assertThrows(UnusableFolderException.class, () -> read.tensor("front")).getMessage();
    assertTrue(message.contains("2 GB"), message);
  }

  @Test
  void a_file_is_replaced_whole_while_its_old_content_stays_readable() throws IOException {
    Path file = folder.resolve("x");
    SafeTensors.write(
        file, List.of(StoredTensor.of("a", Dtype.F32, new long[] {3}, new float[] {1, 2, 3})));
    SafeTensors old = SafeTensors.open(file);
    StoredTensor mapped = old.tensor("a");
    SafeTensors.write(file, List.of(StoredTensor.of("a", Dtype.F32, new long[] {}, new float[1])));
    assertArrayEquals(new float[] {1, 2, 3}, mapped.toFloats());
    assertThrows(UnusableFolderException.class, () -> old.tensor("a"));
    byte[] before = Files.readAllBytes(file);
    assertThrows(
        IOException.class,
        () ->
            SafeTensors.write(
                file,
                List.of(new TensorSpec("a", Dtype.F32, new long[] {1})),
                name -> {
                  throw new IOException("the disk is full");
                },
                Map.of()));
    assertArrayEquals(before, Files.readAllBytes(file));
    assertEquals(List.of(file), Files.list(folder).toList());
  }

  @Test
  void a_tensor_of_other_length_than_announced_is_never_written() {
    Path file = folder.resolve("x");
    TensorSpec spec = new TensorSpec("a", Dtype.F32, new long[] {2});
    assertThrows(
        IllegalArgumentException.class,
        () -> SafeTensors.write(file, List.of(spec), n -> ByteBuffer.allocate(4), Map.of()));
    assertThrows(
        IllegalArgumentException.class,
        () -> SafeTensors.write(file, List.of(spec, spec), n -> ByteBuffer.allocate(8), Map.of()));
    assertFalse(Files.exists(file));
  }
}
