package rubricem.app.cli;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import java.io.File;
import java.net.URL;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Includes other files into a user's configuration and refuses what is not there: HOCON leaves it
 * out without a word, and the file then means something else than it says. How files are found and
 * read is left to the includer that it stands in front of.
 */
final class StrictIncluder
    implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
  private final @Nullable ConfigIncluder found;

  private StrictIncluder(@Nullable ConfigIncluder found) {
    this.found = found;
  }

  /** Ways to read a file that refuse what is included and missing. */
  static ConfigParseOptions options() {
    return ConfigParseOptions.defaults().setIncluder(new StrictIncluder(null));
  }

  /** The library puts its own behind this one, again for each file that is included. */
  @Override
  public ConfigIncluder withFallback(ConfigIncluder fallback) {
    return found == null ? new StrictIncluder(fallback) : this;
  }

  @Override
  public ConfigObject include(ConfigIncludeContext context, String what) {
    return there(what, () -> with(ConfigIncluder.class).include(strict(context), what));
  }

  @Override
  public ConfigObject includeFile(ConfigIncludeContext context, File what) {
    return there(
        what.getPath(), () -> with(ConfigIncluderFile.class).includeFile(strict(context), what));
  }

  @Override
  public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
    return there(
        what.toString(), () -> with(ConfigIncluderURL.class).includeURL(strict(context), what));
  }

  @Override
  public ConfigObject includeResources(ConfigIncludeContext context, String what) {
    return there(
        what,
        () -> with(ConfigIncluderClasspath.class).includeResources(strict(context), what));
  }

  private <T> T with(Class<T> way) {
    return way.cast(found);
  }

  private static ConfigIncludeContext strict(ConfigIncludeContext context) {
    return context.setParseOptions(context.parseOptions().setAllowMissing(false));
  }

  private static ConfigObject there(String what, Supplier<ConfigObject> read) {
    try {
      return read.get();
    } catch (ConfigException.IO e) {
      throw Failure.usage(
          "The configuration file includes \"" + what + "\", which is not there or cannot be"
              + " read. A path that begins with no / is looked for beside the file.");
    }
  }
}
