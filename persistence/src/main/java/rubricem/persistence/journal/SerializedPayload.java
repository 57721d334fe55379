package rubricem.persistence.journal;

import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serializer;
import org.apache.pekko.serialization.Serializers;

/** Between objects and frames, by the serializers of the actor system. */
final class SerializedPayload {
  private SerializedPayload() {}

  static JournalFrames.Frame frame(Serialization serialization, Object payload) {
    Serializer serializer = serialization.findSerializerFor(payload);
    return new JournalFrames.Frame(
        serializer.identifier(),
        Serializers.manifestFor(serializer, payload),
        serializer.toBinary(payload));
  }

  static Object payload(Serialization serialization, JournalFrames.Frame frame) {
    return serialization
        .deserialize(frame.payload(), frame.serializer(), frame.manifest())
        .get();
  }
}
