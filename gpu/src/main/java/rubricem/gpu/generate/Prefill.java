package rubricem.gpu.generate;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A prompt on its way into the cache, and the sequences that have it: it is computed once in the
 * slot of the first and copied to the others.
 */
final class Prefill {
  private final List<RunningSequence> sequences = new ArrayList<>();
  private final int slot;
  private int at;
  private int reused;

  private Prefill(int slot) {
    this.slot = slot;
  }

  /** Equal prompts together, in slots one after another from {@code firstSlot}. */
  static List<Prefill> group(List<RunningSequence> fresh, int firstSlot) {
    Map<IntBuffer, List<RunningSequence>> equal = new LinkedHashMap<>();
    for (RunningSequence sequence : fresh) {
      equal
          .computeIfAbsent(
              IntBuffer.wrap(sequence.request().prompt()), prompt -> new ArrayList<>())
          .add(sequence);
    }
    List<Prefill> out = new ArrayList<>();
    int slot = firstSlot;
    for (List<RunningSequence> together : equal.values()) {
      Prefill prompt = new Prefill(slot);
      prompt.sequences.addAll(together);
      out.add(prompt);
      slot += together.size();
    }
    return out;
  }

  List<RunningSequence> sequences() {
    return sequences;
  }

  int slot() {
    return slot;
  }

  int[] tokens() {
    return sequences.getFirst().request().prompt();
  }

  void restored(int length) {
    at = length;
    reused = length;
  }

  int reused() {
    return reused;
  }

  int at() {
    return at;
  }

  int left() {
    return tokens().length - at;
  }

  void advance(int length) {
    at += length;
  }

  boolean isDone() {
    return left() == 0;
  }
}
