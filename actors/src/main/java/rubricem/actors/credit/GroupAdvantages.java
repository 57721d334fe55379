package rubricem.actors.credit;

/**
 * The advantages of one group, a row of four for each rollout in the order given. Rows of rollouts
 * that are no members are zero and must not be trained; a group that was skipped has no members.
 */
public final class GroupAdvantages {
  private final double[][] rows;
  private final boolean[] member;
  private final boolean[] flat;

  GroupAdvantages(double[][] rows, boolean[] member, boolean[] flat) {
    this.rows = rows;
    this.member = member;
    this.flat = flat;
  }

  public int size() {
    return rows.length;
  }

  /** Whether the rollout takes part: it was scored, and so were enough of the others. */
  public boolean trained(int rollout) {
    return member[rollout];
  }

  /** Of the four stages. */
  public double[] of(int rollout) {
    return rows[rollout].clone();
  }

  /** Whether the members do not differ in the stage: nobody has an advantage there. */
  public boolean flat(int stage) {
    return flat[stage];
  }

  /** Whether no stage tells the members apart: the group teaches nothing. */
  public boolean flat() {
    for (boolean stage : flat) {
      if (!stage) {
        return false;
      }
    }
    return true;
  }

  /** Whether too few were scored, so that there is nothing to compare. */
  public boolean skipped() {
    for (boolean each : member) {
      if (each) {
        return false;
      }
    }
    return true;
  }
}
