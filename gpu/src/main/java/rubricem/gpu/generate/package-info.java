/** Sampling with a cache of keys and values: many sequences at once, each as if it were alone. */
@NullMarked
package rubricem.gpu.generate;

import org.jspecify.annotations.NullMarked;
