package rubricem.protocol.scaffold;

/** A tag of the grammar as it stands in a text: {@code from} is its {@code <}. */
record Tag(ScaffoldTag kind, boolean closing, int from, int to) {
  boolean opens(ScaffoldTag other) {
    return !closing && kind == other;
  }

  boolean closes(ScaffoldTag other) {
    return closing && kind == other;
  }
}
