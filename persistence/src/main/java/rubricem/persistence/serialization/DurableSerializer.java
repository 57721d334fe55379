package rubricem.persistence.serialization;

import org.apache.pekko.serialization.SerializerWithStringManifest;
import rubricem.protocol.CborSerializable;

/**
 * Writes durable records for the journal; its manifest is the stored name of {@link DurableKinds}.
 */
public final class DurableSerializer extends SerializerWithStringManifest {
  /** Stored with every event: never to be changed. */
  public static final int IDENTIFIER = 72_301;

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object durable) {
    return DurableKinds.name(durable);
  }

  @Override
  public byte[] toBinary(Object durable) {
    return DurableFormat.write((CborSerializable) durable);
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    return DurableFormat.read(manifest, bytes);
  }
}
