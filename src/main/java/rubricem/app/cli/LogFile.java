package rubricem.app.cli;

import java.nio.file.Path;
import org.slf4j.LoggerFactory;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;

/** Sends the log of a node beside its data, so that a terminal shows only what people must know. */
final class LogFile {
  private LogFile() {}

  static void use(Path dataFolder) {
    System.setProperty("rubricem.log.file", dataFolder.resolve("rubricem.log").toString());
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    context.reset();
    try {
      configurator.doConfigure(LogFile.class.getResource("/logback-file.xml"));
    } catch (JoranException e) {
      throw new IllegalStateException("the program's log configuration is broken", e);
    }
  }
}
