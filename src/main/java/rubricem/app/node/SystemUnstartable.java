package rubricem.app.node;

import com.typesafe.config.Config;

/**
 * The actor system, or the server on it, could not be made of a configuration. It keeps that
 * configuration, so that whoever tells a person can look for the key at fault; it does not judge
 * whether there is one, for a fault of the program fails here too.
 */
public final class SystemUnstartable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Config config;

  SystemUnstartable(Config config, Throwable cause) {
    super("the actor system or the server does not start with this configuration", cause);
    this.config = config;
  }

  /** What it should have been made of. */
  public Config config() {
    return config;
  }
}
