package rubricem.protocol.run;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How things are named in the folder of a training run. Whoever writes a run and whoever reads one
 * take the names from here, so they cannot differ. Folders of users and of other programs depend
 * on them: a name never changes.
 */
public final class RunLayout {
  public static final String CONFIG = "config.conf";
  public static final String METRICS = "metrics.jsonl";
  public static final String CHECKPOINTS = "checkpoints";

  /** Of a checkpoint, within its folder. */
  public static final String MANIFEST = "manifest.json";

  private static final Pattern CHECKPOINT = Pattern.compile("step-([0-9]{6,18})");

  private RunLayout() {}

  /** The folder name of a step's checkpoint, such as {@code step-000010}. */
  public static String checkpoint(long step) {
    return "step-%06d".formatted(step);
  }

  /** The step of a checkpoint's folder name; empty where it is no such name. */
  public static OptionalLong step(String name) {
    Matcher matcher = CHECKPOINT.matcher(name);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    long step = Long.parseLong(matcher.group(1));
    return checkpoint(step).equals(name) ? OptionalLong.of(step) : OptionalLong.empty();
  }
}
