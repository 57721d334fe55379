package rubricem.protocol;

/**
 * Marks what is stored: events and snapshots, written as Jackson CBOR. Durable records are only
 * ever extended with {@code Optional} components or with components whose zero means "not
 * recorded", and their constructors check nothing: an old event must stay readable for ever.
 */
public interface CborSerializable {}
