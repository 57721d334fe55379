package rubricem.gpu.generate;

/** Too many sequences wait; nothing of the request was begun. */
public final class QueueFull extends RuntimeException {
  private static final long serialVersionUID = 1;

  QueueFull(String message) {
    super(message);
  }
}
