package rubricem.http.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;

/**
 * Reads one JSON value as strangers send it: one value, no name twice, nothing so deep or so long
 * that it is an attack on the reader. What is wrong is said with its place and its bound; nothing of
 * what was sent is repeated.
 */
public final class StrictJson {
  /** Deeper nesting than any request of ours has. */
  static final int DEPTH_MAX = 64;

  /** Digits of a number; every number of ours fits into twenty. */
  static final int NUMBER_CHARS_MAX = 1_000;

  /** Longer than any name of ours; names of metadata end at 64. */
  static final int NAME_CHARS_MAX = 50_000;

  /** A question ends at 32,768; this is for bodies that a configuration allows to be large. */
  static final int TEXT_CHARS_MAX = 20_000_000;

  /** The byte order mark. */
  private static final String MARK = "\uFEFF";

  private static final ObjectMapper STRICT =
      new ObjectMapper(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH_MAX).maxNumberLength(NUMBER_CHARS_MAX)
                          .maxNameLength(NAME_CHARS_MAX).maxStringLength(TEXT_CHARS_MAX).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private StrictJson() {}

  /**
   * The value; fails with a refusal.
   *
   * @param what begins the sentence that says what is wrong, such as {@code The body}
   */
  public static JsonNode read(String text, String what) {
    try {
      // some editors and shells mark UTF-8 by it (RFC 8259, section 8.1)
      JsonNode node = STRICT.readTree(text.startsWith(MARK) ? text.substring(1) : text);
      if (node.isMissingNode()) {
        throw malformed(what + " is empty.");
      }
      return node;
    } catch (StreamConstraintsException e) {
      throw beyond(what, e);
    } catch (MismatchedInputException e) {
      throw malformed(what + " has something behind its JSON value" + at(", at ", e) + ".");
    } catch (JsonProcessingException e) {
      if (e.getOriginalMessage().startsWith("Duplicate field")) {
        throw malformed(what + " has the same name twice in one object" + at(", at ", e) + ".");
      }
      throw malformed(what + " is not JSON" + at(" at ", e) + ".");
    }
  }

  private static Problem.Refusal malformed(String detail) {
    return Problem.of(Problem.Kind.MALFORMED_JSON, detail).refusal();
  }

  /** Which bound it was is known from the setting that the reader names. */
  private static Problem.Refusal beyond(String what, StreamConstraintsException e) {
    String said = e.getOriginalMessage();
    String bound =
        said.contains("getMaxNestingDepth")
            ? "is nested too deeply; the limit is " + DEPTH_MAX + " levels"
            : said.contains("getMaxNumberLength")
                ? "has a number that is too long; the limit is " + NUMBER_CHARS_MAX + " characters"
                : said.contains("getMaxNameLength")
                    ? "has a name that is too long; the limit is " + NAME_CHARS_MAX + " characters"
                    : said.contains("getMaxStringLength")
                        ? "has a string that is too long; the limit is " + TEXT_CHARS_MAX
                            + " characters"
                        : "is beyond what is read here";
    return Problem.of(
            Problem.Kind.JSON_BEYOND_LIMIT, what + " " + bound + at(". It is passed at ", e) + ".")
        .refusal();
  }

  private static String at(String before, JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    return at == null ? "" : before + "line " + at.getLineNr() + ", column " + at.getColumnNr();
  }
}
