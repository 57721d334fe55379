package rubricem.persistence.serialization;

/** A stored record of a kind this program does not know: a newer one has written it. */
public final class UnknownKind extends RuntimeException {
  public UnknownKind(String name) {
    super(
        "The journal holds an event of kind \"" + name + "\", which this version of RubricEM does"
            + " not know: a newer version has written it. Nothing was changed; use that version.");
  }
}
