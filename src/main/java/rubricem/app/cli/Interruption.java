package rubricem.app.cli;

import com.typesafe.config.Config;
import java.util.concurrent.atomic.AtomicReference;

/** What is said when somebody ends a command before it is done. */
final class Interruption {
  private static final AtomicReference<Runnable> SAY = new AtomicReference<>();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  Runnable say = SAY.get();
                  if (say != null) {
                    say.run();
                  }
                },
                "interruption"));
  }

  private Interruption() {}

  static void onInterrupt(Runnable say) {
    SAY.set(say);
  }

  static void done() {
    SAY.set(null);
  }

  /** The option that names the data folder, where it is not the default; fit for a shell. */
  static String sameFolder(Config config) {
    String folder = config.getString("rubricem.data-dir");
    return folder.equals("./data") ? "" : " --data-dir " + word(folder);
  }

  private static String word(String text) {
    return text.matches("[\\w./~:+,@%=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
