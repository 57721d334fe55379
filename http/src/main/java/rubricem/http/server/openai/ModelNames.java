package rubricem.http.server.openai;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The policies on offer under names that a client can ask for as models. {@code rubricem} is the
 * default; each has a name of its own behind {@code rubricem-}. A name shows nothing of where a
 * policy is: no host, no folder.
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

  private static String plain(String spec) {
    String own = own(spec);
    String bare = own.replaceAll("\\.jsonl?$", "");
    String name = isModel(spec) ? own : bare.isEmpty() ? kind(spec) : kind(spec) + "-" + bare;
    String safe = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^-+|-+$", "");
    return safe.isEmpty() ? kind(spec) : safe.substring(0, Math.min(NAME_MAX, safe.length()));
  }

  private static String kind(String spec) {
    int colon = spec.indexOf(':');
    return colon < 0 ? spec : spec.substring(0, colon);
  }

  /** A model behind an address: {@code openai:BASE_URL#MODEL}. */
  private static boolean isModel(String spec) {
    return spec.contains("://");
  }

  /** What tells policies of one kind apart: the model, or the file without its folder. */
  private static String own(String spec) {
    if (isModel(spec)) {
      int model = spec.lastIndexOf('#');
      return model < 0 ? "" : spec.substring(model + 1);
    }
    int colon = spec.indexOf(':');
    String path = colon < 0 ? "" : spec.substring(colon + 1).replaceAll("[/\\\\]+$", "");
    return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  }

  /** What a policy is, without where it is: {@code scripted:night.jsonl}, {@code openai:model}. */
  String shown(String name) {
    String spec = policy(name).orElseThrow();
    return own(spec).isEmpty() ? kind(spec) : kind(spec) + ":" + own(spec);
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
