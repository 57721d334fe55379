package rubricem.gpu.text;

/** Who speaks. */
public enum ChatRole {
  SYSTEM,
  USER,
  ASSISTANT,
  TOOL
}
