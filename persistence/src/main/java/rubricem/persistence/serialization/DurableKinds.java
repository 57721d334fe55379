package rubricem.persistence.serialization;

import java.util.HashMap;
import java.util.Map;
import rubricem.protocol.CborSerializable;
import rubricem.protocol.episode.EpisodeEvent;

/**
 * The names under which durable records are stored: kind and version, independent of class and
 * package. A name is never given a second meaning; a record that changes in more than optional
 * components gets a new version and keeps the old class for reading.
 */
public final class DurableKinds {
  private static final Map<String, Class<? extends CborSerializable>> CLASSES = new HashMap<>();
  private static final Map<Class<?>, String> NAMES = new HashMap<>();

  static {
    for (Class<?> type : EpisodeEvent.class.getPermittedSubclasses()) {
      register(EpisodeEvent.Kinds.of(type) + ".1", type.asSubclass(CborSerializable.class));
    }
  }

  private DurableKinds() {}

  private static void register(String name, Class<? extends CborSerializable> type) {
    CLASSES.put(name, type);
    NAMES.put(type, name);
  }

  static String name(Object durable) {
    String name = NAMES.get(durable.getClass());
    if (name == null) {
      throw new IllegalArgumentException(durable.getClass() + " has no durable name");
    }
    return name;
  }

  static Class<? extends CborSerializable> type(String name) {
    Class<? extends CborSerializable> type = CLASSES.get(name);
    if (type == null) {
      throw new UnknownKind(name);
    }
    return type;
  }

  /** The stored name of every kind and its class. */
  public static Map<String, Class<? extends CborSerializable>> all() {
    return Map.copyOf(CLASSES);
  }
}
