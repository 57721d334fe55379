package rubricem.protocol.port;

/** Told of a generation while it runs. What it hears is progress, never a fact. */
public interface GenerationWatcher {
  GenerationWatcher NONE = new GenerationWatcher() {
    @Override
    public void onText(String delta) {}

    @Override
    public void onRestart(String reason) {}
  };

  void onText(String delta);

  /** What was told so far of this turn is void; the turn starts again. */
  void onRestart(String reason);
}
