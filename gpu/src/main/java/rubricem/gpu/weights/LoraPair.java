package rubricem.gpu.weights;

/**
 * The adapter of one linear layer: what is added to its weight is {@code scale * up * down}.
 *
 * @param module such as {@code model.layers.0.self_attn.q_proj}
 * @param down rank times inputs; PEFT's {@code lora_A}
 * @param up outputs times rank; PEFT's {@code lora_B}
 */
public record LoraPair(String module, StoredTensor down, StoredTensor up) {}
