package rubricem.http.server.openai;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The policies on offer under names that a client can ask for as models. {@code rubricem} is the
 * default; each has a name of its own behind {@code rubricem-}. A name shows nothing of a policy's
 * address or file.
 */
final class ModelNames {
  static final String DEFAULT = "rubricem";

  private static final int NAME_MAX = 64;

  private final Map<String, String> specs = new LinkedHashMap<>();

  ModelNames(List<String> policies) {
    specs.put(DEFAULT, policies.getFirst());
    for (String spec : policies) {
      String name = DEFAULT + "-" + plain(spec);
      String free = name;
      for (int i = 2; specs.containsKey(free); i++) {
        free = name + "-" + i;
      }
      specs.put(free, spec);
    }
  }

  /** The model of {@code openai:…#MODEL}, else what stands before the colon. */
  private static String plain(String spec) {
    int model = spec.lastIndexOf('#');
    String kind = spec.contains(":") ? spec.substring(0, spec.indexOf(':')) : spec;
    String name = kind.equals("openai") && model >= 0 ? spec.substring(model + 1) : kind;
    String safe = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^-+|-+$", "");
    return safe.isEmpty() ? kind : safe.substring(0, Math.min(NAME_MAX, safe.length()));
  }

  List<String> all() {
    return List.copyOf(specs.keySet());
  }

  /** The policy that a name stands for. */
  Optional<String> policy(String name) {
    return Optional.ofNullable(specs.get(name));
  }

  /** The name of a policy's own; the default's where the policy is offered no more. */
  String of(String spec) {
    return specs.entrySet().stream()
        .filter(e -> e.getValue().equals(spec) && !e.getKey().equals(DEFAULT))
        .map(Map.Entry::getKey).findFirst().orElse(DEFAULT);
  }
}
