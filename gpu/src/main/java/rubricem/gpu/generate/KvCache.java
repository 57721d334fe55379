package rubricem.gpu.generate;

import ai.djl.ndarray.NDManager;
import rubricem.gpu.script.Arrays;

/**
 * Keys and values of the sequences of one batch: one array with room for so many slots and
 * positions, replaced by a larger one when it gets too small. The sequences in use are always the
 * first slots. It belongs to one thread.
 */
final class KvCache implements AutoCloseable {
  /** Positions come in blocks, so that a growing sequence seldom moves the cache. */
  private static final int BLOCK = 64;

  private final DecodeProgram program;
  private final NDManager parent;
  private NDManager manager;
  private Arrays array;
  private int slots;
  private int positions;

  KvCache(DecodeProgram program, NDManager parent) {
    this.program = program;
    this.parent = parent;
    manager = parent.newSubManager();
    array = program.emptyCache(manager);
  }

  Arrays array() {
    return array;
  }

  /**
   * Makes room, by half as much again as there was where that is allowed.
   *
   * @param used slots whose content is kept
   * @param positionsMax what no sequence here will pass; padding may
   */
  void ensure(int used, int slotsWanted, int slotsMax, int positionsWanted, int positionsMax) {
    if (slotsWanted <= slots && positionsWanted <= positions) {
      return;
    }
    int moreSlots = slotsWanted <= slots ? slots : grown(slots, slotsWanted, slotsMax);
    int morePositions =
        positionsWanted <= positions
            ? positions
            : blocks(grown(positions, positionsWanted, positionsMax));
    NDManager next = parent.newSubManager();
    array = program.resized(next, array, moreSlots, morePositions, used);
    manager.close();
    manager = next;
    slots = moreSlots;
    positions = morePositions;
  }

  private static int grown(int now, int wanted, int most) {
    return Math.max(wanted, Math.min(most, now + now / 2));
  }

  private static int blocks(int positions) {
    return Math.ceilDiv(positions, BLOCK) * BLOCK;
  }

  void copy(int from, int to, int length) {
    program.copy(manager, array, from, to, length);
  }

  void wipe(int slot) {
    program.wipe(manager, array, slot);
  }

  @Override
  public void close() {
    manager.close();
  }
}
