/**
 * The device: which one, how fast, how many tensors it holds, and the one thread that owns them.
 */
@NullMarked
package rubricem.gpu.device;

import org.jspecify.annotations.NullMarked;
