package rubricem.app.run;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import rubricem.gpu.checkpoint.Checkpoint;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenConfig;

/**
 * What a supervised run was begun with: its data, its model, how text becomes tokens, and the
 * settings that decide what is learned. It stands in the run's configuration, and the settings once
 * more in every checkpoint. Going on with anything else would be another run under the same name,
 * so it is refused. What was not yet recorded when a run was begun is taken as it is.
 */
public final class RunOrigin {
  /** The section of a run's configuration that says what it is. */
  public static final String SECTION = "run";

  private static final String LEARNER = "rubricem.learner";
  private static final String DATA = "data-sha256";
  private static final String BASE = "model-sha256";
  private static final String TEXT = "text-sha256";
  private static final String SHAPE = "model-config-sha256";

  /** Below the learner's section; the others say where, how fast and how safely. */
  private static final List<String> DECIDING = List.of("adapter", "optimiser", "supervised");

  private RunOrigin() {}

  /**
   * The section that a run of these files needs.
   *
   * @param steps 0: as many as the epochs need
   */
  static Config section(Path data, Path model, long steps) throws IOException {
    return ConfigFactory.parseMap(
            Map.of(
                "kind", "supervised",
                "data", data.toAbsolutePath().normalize().toString(),
                DATA, sha256(data),
                "model", model.toAbsolutePath().normalize().toString(),
                "steps", steps))
        .atKey(SECTION);
  }

  /** The section with what tells its model from another; reads all weights once. */
  static Config identified(Config config, ModelFolder model) throws IOException {
    // a name of a file is a key and no path of keys
    return config
        .withValue(SECTION + "." + BASE, ConfigValueFactory.fromAnyRef(model.checksum()))
        .withValue(
            SECTION + "." + SHAPE,
            ConfigValueFactory.fromAnyRef(sha256(model.folder().resolve(QwenConfig.FILE))))
        .withValue(SECTION + "." + TEXT, ConfigValueFactory.fromMap(texts(model)));
  }

  static void refuseOtherData(Path data, Config run) throws IOException {
    if (!Files.isReadable(data) || !sha256(data).equals(run.getString(DATA))) {
      throw new RunUnusableException(
          data + " is not what this run was begun with; bring it back, or begin another run");
    }
  }

  /** Before the model is opened, which says nothing of what was there before. */
  static void refuseOtherConfig(Path model, Config run) throws IOException {
    Path file = model.resolve(QwenConfig.FILE);
    if (run.hasPath(SHAPE)
        && Files.isReadable(file)
        && !sha256(file).equals(run.getString(SHAPE))) {
      throw new RunUnusableException(
          file + " is not the one this run was begun with: it decides how long a row may be, what"
              + " ends a text and how the model computes. Bring the file back, or begin another"
              + " run.");
    }
  }

  static void refuseOtherModel(ModelFolder model, Config run) throws IOException {
    if (run.hasPath(BASE) && !run.getString(BASE).equals(model.checksum())) {
      throw new RunUnusableException(
          model.folder() + " is not the model this run was begun with: its weights have the"
              + " checksum " + ModelFolder.brief(model.checksum()) + ", and the run's had "
              + ModelFolder.brief(run.getString(BASE)) + ". Bring that model back there, or begin"
              + " another run.");
    }
    if (!run.hasPath(TEXT)) {
      return;
    }
    Map<String, Object> begun = run.getObject(TEXT).unwrapped();
    Map<String, String> found = texts(model);
    TreeSet<String> names = new TreeSet<>(begun.keySet());
    names.addAll(found.keySet());
    for (String name : names) {
      if (!found.getOrDefault(name, "").equals(begun.getOrDefault(name, ""))) {
        throw new RunUnusableException(
            model.folder().resolve(name)
                + (begun.containsKey(name)
                    ? found.containsKey(name)
                        ? " is not the one this run was begun with"
                        : " is gone, and this run was begun with it"
                    : " was not there when this run was begun")
                + ": it decides how text becomes tokens. "
                + (begun.containsKey(name) ? "Bring the file back" : "Take it away")
                + ", or begin another run.");
      }
    }
  }

  private static Map<String, String> texts(ModelFolder model) throws IOException {
    Map<String, String> out = new LinkedHashMap<>();
    for (Path file : model.textFiles()) {
      out.put(file.getFileName().toString(), sha256(file));
    }
    return out;
  }

  /** What decides what is learned, by key, as a checkpoint records it. */
  static SortedMap<String, String> deciding(Config config) {
    SortedMap<String, String> out = new TreeMap<>();
    for (String section : DECIDING) {
      String path = LEARNER + "." + section;
      add(out, path, config.getConfig(path));
    }
    for (String key : List.of("steps", DATA, BASE)) {
      if (config.hasPath(SECTION + "." + key)) {
        out.put(SECTION + "." + key, config.getValue(SECTION + "." + key).unwrapped().toString());
      }
    }
    return out;
  }

  private static void add(Map<String, String> to, String path, Config section) {
    for (Map.Entry<String, ConfigValue> entry : section.entrySet()) {
      to.put(path + "." + entry.getKey(), entry.getValue().unwrapped().toString());
    }
  }

  /** A configuration that somebody changed since the checkpoint was written. */
  static void refuseChanged(Config config, Checkpoint checkpoint, Path run) {
    SortedMap<String, String> before = checkpoint.state().settings();
    deciding(config).forEach(
        (key, now) -> {
          String then = before.getOrDefault(key, now);
          if (!then.equals(now)) {
            throw new RunUnusableException(
                "The configuration of " + run + " was changed: " + key + " is " + now + ", and "
                    + checkpoint.folder().getFileName() + " was trained with " + then
                    + ". Put it back in config.conf, or begin another run.");
          }
        });
  }

  /**
   * Settings of a user for a run that goes on, which its own would override in silence.
   *
   * @param user the user's whole configuration
   * @param defaults what it was laid over
   * @param run that of the run
   */
  public static List<String> overridden(Config user, Config defaults, Config run) {
    TreeSet<String> out = new TreeSet<>();
    for (Map.Entry<String, ConfigValue> entry : user.getConfig(LEARNER).entrySet()) {
      String key = LEARNER + "." + entry.getKey();
      if (!same(defaults, key, entry.getValue()) && !same(run, key, entry.getValue())) {
        out.add(key);
      }
    }
    return List.copyOf(out);
  }

  private static boolean same(Config config, String key, ConfigValue value) {
    try {
      return config.hasPath(key) && config.getValue(key).equals(value);
    } catch (ConfigException e) {
      return false;
    }
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
