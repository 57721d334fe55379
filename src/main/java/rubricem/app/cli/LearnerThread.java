package rubricem.app.cli;

import java.io.IOException;
import rubricem.gpu.device.DeviceStoppedException;
import rubricem.gpu.device.DeviceThread;
import rubricem.gpu.weights.UnusableFolderException;

/**
 * The thread on which a command of the learner computes. A signal asks the work to end where it can
 * be given up, and the command ends with the code of an interruption; the process never ends inside
 * libtorch. A second signal ends it at once.
 */
final class LearnerThread {
  /** What the thread does; it looks at {@link DeviceThread#stopping} where it goes on long. */
  interface Work<T> {
    T on(DeviceThread thread) throws IOException;
  }

  private LearnerThread() {}

  /** @param left what an interruption or a full disk leaves, in a sentence */
  static <T> T run(String left, Work<T> work) throws IOException {
    Signals signals = Signals.taken();
    try (DeviceThread thread = DeviceThread.start("learner")) {
      signals.onFirst(thread::stop);
      return thread.callIo(() -> work.on(thread));
    } catch (UnusableFolderException e) {
      throw e;
    } catch (IOException e) {
      throw Failure.work(DiskWords.of(e) + " " + left);
    } catch (DeviceStoppedException e) {
      throw Failure.interrupted("Interrupted. " + left);
    }
  }
}
