package rubricem.http.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * What an asker accepts (RFC 9110 §12.5.1). The most specific range that fits a type decides about
 * it; among equally liked types the one offered first wins. No {@code Accept} accepts everything.
 */
public final class Acceptance {
  /** More ranges than any program sends; the rest is not looked at. */
  private static final int RANGES_MAX = 50;

  private record Range(String type, String subtype, double quality) {
    /** 0 where it does not fit, else more for a narrower one. */
    int fit(String wantedType, String wantedSubtype) {
      if (type.equals("*")) {
        return 1;
      }
      if (!type.equals(wantedType)) {
        return 0;
      }
      return subtype.equals("*") ? 2 : subtype.equals(wantedSubtype) ? 3 : 0;
    }
  }

  private final List<Range> ranges;

  private Acceptance(List<Range> ranges) {
    this.ranges = ranges;
  }

  static Acceptance of(HttpRequest request) {
    List<String> values = new ArrayList<>();
    for (HttpHeader header : request.getHeaders()) {
      if (header.is("accept")) {
        values.add(header.value());
      }
    }
    return of(values);
  }

  public static Acceptance of(List<String> headers) {
    List<Range> ranges = new ArrayList<>();
    for (String header : headers) {
      for (String part : header.split(",")) {
        if (ranges.size() < RANGES_MAX && !part.isBlank()) {
          ranges.add(range(part));
        }
      }
    }
    return new Acceptance(List.copyOf(ranges));
  }

  private static Range range(String text) {
    String[] parts = text.split(";");
    String[] type = parts[0].strip().toLowerCase(Locale.ROOT).split("/", 2);
    double quality = 1;
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
      if (parameter.startsWith("q=")) {
        quality = quality(parameter.substring(2));
      }
    }
    return new Range(type[0], type.length == 2 ? type[1] : "", quality);
  }

  private static double quality(String text) {
    try {
      double q = Double.parseDouble(text.strip());
      return q >= 0 && q <= 1 ? q : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  public String best(String... offered) {
    String best = "";
    double bestQuality = 0;
    for (String type : offered) {
      double quality = ranges.isEmpty() ? 1 : qualityOf(type);
      if (quality > bestQuality) {
        best = type;
        bestQuality = quality;
      }
    }
    if (best.isEmpty()) {
      throw Problem.of(
              Problem.Kind.NOT_ACCEPTABLE,
              "Ask for one of " + String.join(", ", offered) + " in the header Accept.")
          .refusal();
    }
    return best;
  }

  /** By name: a range for everything is no wish. */
  boolean prefers(String wanted, String other) {
    String[] type = wanted.split("/", 2);
    boolean named = ranges.stream().anyMatch(r -> r.fit(type[0], type[1]) > 1);
    return named && qualityOf(wanted) > qualityOf(other);
  }

  private double qualityOf(String offered) {
    String[] type = offered.split("/", 2);
    int fit = 0;
    double quality = 0;
    for (Range range : ranges) {
      int own = range.fit(type[0], type[1]);
      if (own > fit || own == fit && own > 0 && range.quality() > quality) {
        fit = own;
        quality = range.quality();
      }
    }
    return quality;
  }
}
