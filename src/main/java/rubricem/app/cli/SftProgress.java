package rubricem.app.cli;

import java.util.Locale;
import rubricem.app.run.SupervisedTraining;
import rubricem.gpu.checkpoint.BrokenCheckpoint;
import rubricem.gpu.checkpoint.Checkpoint;
import rubricem.gpu.supervised.SupervisedFile;
import rubricem.gpu.supervised.SupervisedRun;

/** Tells a person how a supervised run goes: a bar on a terminal, else a line now and then. */
final class SftProgress implements SupervisedTraining.Progress {
  private static final int BAR_COLUMNS = 20;
  private static final int LINES = 20;

  private final Console console;

  SftProgress(Console console) {
    this.console = console;
  }

  @Override
  public void read(SupervisedFile data) {
    console.say(
        Words.count(data.rows().size(), "record") + ", "
            + Words.count(data.tokens(), "token") + ", of which " + data.trained()
            + " are learned");
    data.omitted().forEach(
        (why, count) -> console.warn("  left out: " + count + " (" + why.label() + ")"));
  }

  @Override
  public void begins(String machine, SupervisedRun.Position from, long steps) {
    console.say(
        machine + "; step " + (from.step() + 1) + " to " + steps
            + (from.step() > 0 ? ", going on" : ""));
  }

  @Override
  public void finished(Checkpoint last, long steps) {
    console.say(
        "The run is finished: all " + Words.count(steps, "step") + " were done before; its last"
            + " checkpoint is " + last.folder());
  }

  @Override
  public void skippedCheckpoint(BrokenCheckpoint broken) {
    console.warn("  not used: " + broken.folder() + ", " + broken.reason());
  }

  @Override
  public void step(SupervisedRun.Step step, double utilisation, long steps) {
    String line = line(step, utilisation, steps);
    if (step.report().skipped() != null) {
      console.warn("  step " + step.number() + " changed nothing: "
          + step.report().skipped().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }
    if (console.terminal()) {
      int full = (int) (BAR_COLUMNS * step.number() / steps);
      console.flicker("[" + "#".repeat(full) + " ".repeat(BAR_COLUMNS - full) + "] " + line);
    } else if (step.number() % Math.max(1, steps / LINES) == 0 || step.number() == steps) {
      console.say(line);
    }
  }

  private static String line(SupervisedRun.Step step, double utilisation, long steps) {
    double seconds = step.report().seconds();
    return String.format(
        Locale.ROOT, "step %d/%d  epoch %d  %s  lr %.2e  %.0f tokens/s  %.0f %% of peak",
        step.number(), steps, step.epoch() + 1,
        step.report().skipped() == null
            ? String.format(Locale.ROOT, "loss %.4f", step.report().loss())
            : "skipped, not finite",
        step.report().learningRate(), seconds > 0 ? step.report().tokens() / seconds : 0,
        100 * utilisation);
  }

  @Override
  public void saved(Checkpoint checkpoint) {
    console.say("checkpoint " + checkpoint.folder().getFileName());
  }

  static String summary(SupervisedTraining.Outcome outcome) {
    if (outcome.whole() && outcome.tokens() == 0) {
      return "All " + Words.count(outcome.steps(), "step") + " were done before";
    }
    return String.format(
        Locale.ROOT,
        "%d of %d steps, %s%d tokens at %.0f a second, %s",
        outcome.step(), outcome.steps(),
        Double.isNaN(outcome.lastLoss())
            ? ""
            : String.format(
                Locale.ROOT, "loss %.4f to %.4f, ", outcome.firstLoss(), outcome.lastLoss()),
        outcome.tokens(), outcome.tokensPerSecond(),
        Words.count(outcome.skippedSteps(), "skipped step"));
  }
}
