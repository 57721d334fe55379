package rubricem.gpu.text;

/**
 * A part of a rendered conversation.
 *
 * @param speaker index of the assistant's message that says it; {@link #NOBODY} for what is only
 *     read
 */
public record ChatPiece(String text, int speaker) {
  public static final int NOBODY = -1;
}
