package rubricem.persistence.run;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The configuration of a run for anybody to see: values behind names of secrets, and what looks
 * like one wherever it stands, are replaced. It is written anew from what was parsed, so comments
 * carry nothing along; what cannot be parsed is not shown, because nobody knows what is in it.
 * Nothing is included from elsewhere and no environment is read.
 */
final class ConfigText {
  static final String HIDDEN = "(hidden)";

  /** The whole of our reference.conf with all that libraries add has 200 kB. */
  private static final int BYTES_MAX = 1 << 20;

  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?i)(.*[-_.])?(api-?_?keys?|keys?|secrets?|password|passwd|passphrase|token|credentials?"
              + "|authorization|auth|private-?_?key|access-?_?key|apikey|accesskey)");

  /** Names and passwords in addresses, parameters that carry them, and forms of well-known keys. */
  private static final Pattern SECRET_TEXT =
      Pattern.compile(
          "(?<=://)[^/?#\\s@]+(?=@)"
              + "|(?i)(?<=[?&;](?:password|passwd|pwd|user|key|api_key|apikey|token|secret)=)[^&;\\s]+"
              + "|(?i)(?<=bearer )\\S+"
              + "|\\bsk-[A-Za-z0-9_-]{12,}|\\bAIza[A-Za-z0-9_-]{20,}|\\bhf_[A-Za-z0-9]{12,}");

  private ConfigText() {}

  /** Empty where there is none that can be shown. */
  static Optional<String> of(Path file) throws IOException {
    return PlainFiles.bytes(file, BYTES_MAX)
        .flatMap(bytes -> shown(new String(bytes, StandardCharsets.UTF_8)));
  }

  static Optional<String> shown(String text) {
    try {
      Config config =
          ConfigFactory.parseString(
              text, ConfigParseOptions.defaults().setIncluder(new NothingIncluded()));
      ConfigRenderOptions form =
          ConfigRenderOptions.defaults().setOriginComments(false).setComments(false)
              .setJson(false);
      return Optional.of(plain(config.root()).render(form));
    } catch (ConfigException | StackOverflowError e) {
      // the parser goes down by itself: a megabyte of braces is deeper than any stack
      return Optional.empty();
    }
  }

  private static ConfigObject plain(ConfigObject object) {
    Map<String, Object> fields = new LinkedHashMap<>();
    object.forEach(
        (name, value) ->
            fields.put(name, SECRET_NAME.matcher(name).matches() ? HIDDEN : plain(value)));
    return ConfigValueFactory.fromMap(fields);
  }

  private static Object plain(ConfigValue value) {
    if (value instanceof ConfigObject object) {
      return plain(object);
    }
    if (value instanceof ConfigList list) {
      List<Object> values = new ArrayList<>();
      list.forEach(entry -> values.add(plain(entry)));
      return values;
    }
    return value.valueType() == ConfigValueType.STRING
        ? SECRET_TEXT.matcher((String) value.unwrapped()).replaceAll(HIDDEN)
        : value;
  }

  private static final class NothingIncluded
      implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
      return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
      return ConfigFactory.empty().root();
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
      return ConfigFactory.empty().root();
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
      return ConfigFactory.empty().root();
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
      return ConfigFactory.empty().root();
    }
  }
}
