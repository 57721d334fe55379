package rubricem.gpu.weights;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What tells one model from another of the same shape: SHA-256 over every tensor, its name, type
 * and extent, and over the constants of the shape. Which files the tensors lie in, and in what
 * order, is no matter, so a model that was cut into other shards is the same one. Tokenizer and
 * generation settings are no part of it.
 */
final class ModelChecksum {
  private ModelChecksum() {}

  static String of(ModelFolder folder) throws IOException {
    MessageDigest digest = digest();
    text(digest, folder.shape().ropeTheta() + " " + folder.shape().rmsEpsilon());
    for (TensorSpec spec : folder.specs()) {
      text(digest, spec.name() + " " + spec.dtype() + " " + Arrays.toString(spec.shape()));
      digest.update(folder.tensor(spec.name()).bytes());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void text(MessageDigest digest, String line) {
    digest.update((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
