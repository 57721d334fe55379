package rubricem.gpu.supervised;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import rubricem.gpu.checkpoint.Checkpoint;
import rubricem.gpu.checkpoint.CheckpointFolder;
import rubricem.gpu.device.DeviceStoppedException;
import rubricem.gpu.train.StepReport;
import rubricem.gpu.train.TrainedModel;
import rubricem.protocol.learning.SupervisedRow;

/**
 * Supervised training from one step to the end of its plan. All that it has to remember is how many
 * steps are done; with that and the checkpoint's tensors it goes on as if it had not stopped. When
 * asked to end early it gives up the step it is in, between two micro-batches, and ends with a
 * checkpoint of the step before; that step is done again. Runs on the device's thread.
 */
public final class SupervisedRun {
  private static final String SEED = "seed";

  /** Hears of the run while it goes on. */
  public interface Listener {
    void onStep(Step step);

    void onCheckpoint(Checkpoint checkpoint);
  }

  /**
   * A step that was done.
   *
   * @param number of steps done, this one included
   * @param epoch counted from 0
   * @param policyVersion updates of the weights so far; a skipped step is none
   * @param attended over all pairs of tokens: half the sum of squared lengths of its rows
   */
  public record Step(
      long number, long epoch, long policyVersion, int rows, long attended, StepReport report) {}

  /** Where a run stands: steps done, and updates of the weights, which are fewer where skipped. */
  public record Position(long step, long policyVersion) {
    public static final Position START = new Position(0, 0);

    public static Position of(Checkpoint checkpoint) {
      return new Position(checkpoint.state().step(), checkpoint.state().policyVersion());
    }
  }

  private final TrainedModel model;
  private final List<SupervisedRow> rows;
  private final SupervisedPlan plan;
  private final CheckpointFolder checkpoints;
  private final Listener listener;

  public SupervisedRun(
      TrainedModel model, List<SupervisedRow> rows, SupervisedPlan plan,
      CheckpointFolder checkpoints, Listener listener) {
    if (rows.size() != plan.order().rows()) {
      throw new IllegalArgumentException("a plan for " + plan.order().rows() + " rows");
    }
    this.model = model;
    this.rows = List.copyOf(rows);
    this.plan = plan;
    this.checkpoints = checkpoints;
    this.listener = listener;
  }

  /**
   * Trains until the plan is done or somebody wants an end.
   *
   * @return where it stands then; a checkpoint of it exists
   */
  public Position run(Position from, BooleanSupplier stop) throws IOException {
    Position at = from;
    long saved = from.step();
    model.trainer().stopWhen(stop);
    while (at.step() < plan.steps() && !stop.getAsBoolean()) {
      Position before = at;
      at = step(before);
      if (at.equals(before)) {
        break;
      }
      if (at.step() % plan.checkpointEvery() == 0) {
        save(at);
        saved = at.step();
      }
    }
    if (saved != at.step()) {
      save(at);
    }
    return at;
  }

  /** The same position where the step was given up. */
  private Position step(Position at) {
    List<SupervisedRow> chosen = new ArrayList<>();
    long attended = 0;
    for (int index : plan.order().at(at.step())) {
      SupervisedRow row = rows.get(index);
      chosen.add(row);
      attended += (long) row.length() * row.length() / 2;
    }
    StepReport report;
    try {
      report = model.trainer().imitate(chosen, plan.rate().at(at.step(), plan.steps()));
    } catch (DeviceStoppedException e) {
      return at;
    }
    Position done =
        new Position(
            at.step() + 1, at.policyVersion() + (report.skipped() == null ? 1 : 0));
    listener.onStep(
        new Step(
            done.step(), plan.order().epochOf(at.step()), done.policyVersion(), chosen.size(),
            attended, report));
    return done;
  }

  private void save(Position at) throws IOException {
    listener.onCheckpoint(
        model.save(
            checkpoints,
            new TrainedModel.Cut(
                at.step(), at.policyVersion(), Map.of(),
                Map.of(SEED, Long.toString(plan.order().seed())), plan.settings())));
  }
}
