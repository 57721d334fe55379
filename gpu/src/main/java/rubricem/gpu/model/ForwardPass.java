package rubricem.gpu.model;

import ai.djl.ndarray.NDManager;
import rubricem.gpu.script.Arrays;

/**
 * A forward whose backward is still to come.
 *
 * @param scope owner of everything kept; closing it frees the pass
 */
public record ForwardPass(NDManager scope, Arrays batch, Scores scores, Arrays saved) {}
