package rubricem.http.llm;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * A key for an outside service. It prints as a mask, and {@link #scrub} takes it out of texts that
 * came from outside, whole or in longer pieces, because servers like to echo what they refuse. Its
 * constructor's complaints never hold the value either.
 */
public record Secret(String value) {
  public static final Secret NONE = new Secret("");

  private static final String MASK = "***";

  /** Shorter runs of a key say nothing about it and would tear ordinary words apart. */
  private static final int TELLING_RUN = 8;

  public Secret {
    value = value.strip();
    if (!value.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          "the key holds blanks, line breaks or characters that cannot be sent in a header");
    }
  }

  public boolean isPresent() {
    return !value.isEmpty();
  }

  /** {@code text} without this key and without any piece of it that could tell it. */
  public String scrub(String text) {
    if (value.isEmpty()) {
      return text;
    }
    String scrubbed =
        text.replace(value, MASK)
            .replace(URLEncoder.encode(value, StandardCharsets.UTF_8), MASK);
    return value.length() < TELLING_RUN ? scrubbed : withoutPieces(scrubbed);
  }

  private String withoutPieces(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      int run = runAt(text, at);
      out.append(run > 0 ? MASK : String.valueOf(text.charAt(at)));
      at += Math.max(run, 1);
    }
    return out.toString();
  }

  private int runAt(String text, int at) {
    int length = TELLING_RUN;
    while (at + length <= text.length() && value.contains(text.substring(at, at + length))) {
      length++;
    }
    return length == TELLING_RUN ? 0 : length - 1;
  }

  @Override
  public String toString() {
    return isPresent() ? "Secret[***]" : "Secret[none]";
  }
}
