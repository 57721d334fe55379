/** One optimiser step: packing, forward and backward in workers, clipping, AdamW. */
@NullMarked
package rubricem.gpu.train;

import org.jspecify.annotations.NullMarked;
