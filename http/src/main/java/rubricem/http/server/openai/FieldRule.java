package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.function.Predicate;
import rubricem.http.server.Problem;

/**
 * What becomes of one field of a create request. It is acted on, or passed over because it cannot
 * make the answer another one than was asked for, or refused where it would.
 *
 * @param why for the room's table: what is done with it, or why nothing is
 * @param check what is wrong with a value that is there and not null
 * @param idle whether a value that was taken changes nothing, so that it has to be named
 */
record FieldRule(
    String name, Use use, String why, Check check, Predicate<JsonNode> idle) {
  enum Use {
    /** Acted on; values that cannot be are refused by whoever reads them. */
    READ,
    /** Accepted whatever it says, and named in the header {@link FieldTable#UNUSED}. */
    UNUSED,
    /** Accepted where it asks for nothing special or for what may be left, refused otherwise. */
    BOUNDED,
    /** Never accepted. */
    REFUSED
  }

  /** Looks at a value, and where it must at the body around it. */
  @FunctionalInterface
  interface Check {
    Optional<Problem> problem(JsonNode value, JsonNode body);
  }

  private static final Check NONE = (value, body) -> Optional.empty();

  private FieldRule(String name, Use use, String why, Check check) {
    this(name, use, why, check, value -> use == Use.UNUSED);
  }

  FieldRule naming(Predicate<JsonNode> idle) {
    return new FieldRule(name, use, why, check, idle);
  }

  static FieldRule read(String name, String why) {
    return read(name, why, NONE);
  }

  static FieldRule read(String name, String why, Check check) {
    return new FieldRule(name, Use.READ, why, check);
  }

  static FieldRule unused(String name, String why) {
    return new FieldRule(name, Use.UNUSED, why, NONE);
  }

  /** @param must what is said of a value that does not pass, behind the name of the field */
  static FieldRule bounded(String name, Predicate<JsonNode> passes, String must) {
    return bounded(
        name, must,
        (value, body) ->
            passes.test(value)
                ? Optional.empty()
                : Optional.of(unsupported(Problem.Kind.UNSUPPORTED_VALUE, "/" + name, must)));
  }

  static FieldRule bounded(String name, String why, Check check) {
    return new FieldRule(name, Use.BOUNDED, why, check);
  }

  static FieldRule refused(String name, String must) {
    return new FieldRule(
        name, Use.REFUSED, must,
        (value, body) ->
            Optional.of(unsupported(Problem.Kind.UNSUPPORTED_PARAMETER, "/" + name, must)));
  }

  static Problem unsupported(Problem.Kind kind, String pointer, String must) {
    return Problem.of(kind, pointer + " " + must + ".");
  }
}
