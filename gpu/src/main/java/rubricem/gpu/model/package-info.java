/** Qwen3 as programs for libtorch: its weights on a device, forward, backward and optimiser. */
@NullMarked
package rubricem.gpu.model;

import org.jspecify.annotations.NullMarked;
