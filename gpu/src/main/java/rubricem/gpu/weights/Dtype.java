package rubricem.gpu.weights;

import java.util.Arrays;
import java.util.Optional;

/** An element type of a safetensors file, under the name the format gives it. */
public enum Dtype {
  BOOL(1, false, "bool"),
  U8(1, false, "uint8"),
  I8(1, false, "int8"),
  F8_E5M2(1, false, "float8_e5m2"),
  F8_E4M3(1, false, "float8_e4m3fn"),
  I16(2, false, "int16"),
  U16(2, false, "uint16"),
  F16(2, true, "float16"),
  BF16(2, true, "bfloat16"),
  I32(4, false, "int32"),
  U32(4, false, "uint32"),
  F32(4, true, "float32"),
  F64(8, true, "float64"),
  I64(8, false, "int64"),
  U64(8, false, "uint64");

  private final int bytes;
  private final boolean real;
  private final String torchName;

  Dtype(int bytes, boolean real, String torchName) {
    this.bytes = bytes;
    this.real = real;
    this.torchName = torchName;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }

  /** Whether weights of a model may have it here: a real number of at least 16 bits. */
  public boolean isReal() {
    return real;
  }

  /** What {@code config.json} calls it. */
  public String torchName() {
    return torchName;
  }

  static Optional<Dtype> ofLabel(String label) {
    return Arrays.stream(values()).filter(d -> d.name().equals(label)).findFirst();
  }

  /** Also with the prefix that older programs wrote, {@code torch.float32}. */
  static Optional<Dtype> ofTorchName(String name) {
    String bare = name.startsWith("torch.") ? name.substring("torch.".length()) : name;
    return Arrays.stream(values()).filter(d -> d.torchName.equals(bare)).findFirst();
  }
}
