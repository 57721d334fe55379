package rubricem.gpu.checkpoint;

/** What the weights of a checkpoint are. */
public enum WeightsKind {
  /** A whole model in the layout of Hugging Face. */
  FULL("full", "config.json"),
  /** An adapter in the layout of PEFT; its base model is not part of the checkpoint. */
  ADAPTER("adapter", "adapter_config.json");

  private final String label;
  private final String configFile;

  WeightsKind(String label, String configFile) {
    this.label = label;
    this.configFile = configFile;
  }

  /** Its name in the manifest. */
  public String label() {
    return label;
  }

  /** The file without which there are no such weights. */
  String configFile() {
    return configFile;
  }
}
