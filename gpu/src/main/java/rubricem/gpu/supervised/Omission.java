package rubricem.gpu.supervised;

/** Why a record became no row. */
public enum Omission {
  /** More tokens than a row may have. */
  TOO_LONG("too_long"),
  /** No assistant says anything in it, or its mask is empty. */
  NOTHING_TO_TRAIN("nothing_to_train"),
  /** A message has a control token of the chat in it, so that who says what is not certain. */
  CONTROL_TOKEN("control_token"),
  /** An element that is to be masked begins or ends without the other. */
  UNPAIRED_SPAN("unpaired_span");

  private final String label;

  Omission(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
