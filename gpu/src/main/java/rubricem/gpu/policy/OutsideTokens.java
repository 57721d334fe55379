package rubricem.gpu.policy;

import java.util.regex.Pattern;

/**
 * Makes text from outside harmless for a tokenizer that reads the names of control tokens in it as
 * those tokens: a page could otherwise end its message and begin one of the system.
 */
final class OutsideTokens {
  private static final Pattern CONTROL = Pattern.compile("<\\|(?=[A-Za-z0-9_]{1,40}\\|>)");

  private OutsideTokens() {}

  /** The same text with a blank inside what would be a control token. */
  static String harmless(String text) {
    return CONTROL.matcher(text).replaceAll("< |");
  }
}
