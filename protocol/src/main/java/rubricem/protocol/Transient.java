package rubricem.protocol;

/** Marks what travels between actors and is never stored. */
public interface Transient {}
