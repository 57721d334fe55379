package rubricem.gpu.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Iterator;
import java.util.Map;

/**
 * JSON as Python prints it: a blank after comma and colon, characters as they are, numbers in
 * Python's shortest form. Templates put it into prompts, and a model has only ever seen this form.
 */
final class PythonJson {
  private static final int PLAIN_DIGITS_MAX = 16;

  private PythonJson() {}

  static void write(JsonNode node, StringBuilder out) {
    switch (node.getNodeType()) {
      case OBJECT -> object(node, out);
      case ARRAY -> array(node, out);
      case STRING -> quoted(node.textValue(), out);
      case NUMBER -> out.append(number(node));
      case BOOLEAN -> out.append(node.booleanValue());
      case NULL, MISSING -> out.append("null");
      case BINARY, POJO -> throw new IllegalArgumentException("no JSON: " + node.getNodeType());
    }
  }

  private static void object(JsonNode node, StringBuilder out) {
    out.append('{');
    String separator = "";
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      out.append(separator);
      quoted(field.getKey(), out);
      out.append(": ");
      write(field.getValue(), out);
      separator = ", ";
    }
    out.append('}');
  }

  private static void array(JsonNode node, StringBuilder out) {
    out.append('[');
    for (Iterator<JsonNode> items = node.elements(); items.hasNext(); ) {
      write(items.next(), out);
      out.append(items.hasNext() ? ", " : "");
    }
    out.append(']');
  }

  private static void quoted(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> out.append(c < ' ' ? "\\u%04x".formatted((int) c) : Character.toString(c));
      }
    }
    out.append('"');
  }

  private static String number(JsonNode node) {
    if (node.isIntegralNumber()) {
      return node.bigIntegerValue().toString();
    }
    double value = node.doubleValue();
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "Infinity" : "-Infinity";
    }
    return real(value);
  }

  /** The shortest digits, which both languages find, in Python's choice of form. */
  private static String real(double value) {
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    if (value == 0) {
      return sign + "0.0";
    }
    BigDecimal shortest = shortest(Math.abs(value));
    int exponent = shortest.precision() - shortest.scale() - 1;
    if (exponent >= -4 && exponent < PLAIN_DIGITS_MAX) {
      String plain = shortest.toPlainString();
      return sign + plain + (plain.contains(".") ? "" : ".0");
    }
    String digits = shortest.unscaledValue().toString();
    String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
    String power = "%s%02d".formatted(exponent < 0 ? "-" : "+", Math.abs(exponent));
    return sign + digits.charAt(0) + fraction + "e" + power;
  }

  /** Java always prints two digits, also where one would do. */
  private static BigDecimal shortest(double value) {
    BigDecimal printed = new BigDecimal(Double.toString(value));
    BigDecimal one = printed.round(new MathContext(1));
    return (one.doubleValue() == value ? one : printed).stripTrailingZeros();
  }
}
