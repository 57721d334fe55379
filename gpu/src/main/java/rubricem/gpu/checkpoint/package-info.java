/** Checkpoints of a training run on disk: written whole, verified before they are used. */
@NullMarked
package rubricem.gpu.checkpoint;

import org.jspecify.annotations.NullMarked;
