/**
 * Recomputes handed reference numbers, reruns stored steps, and writes programs out to be run
 * elsewhere.
 */
@NullMarked
package rubricem.gpu.verify;

import org.jspecify.annotations.NullMarked;
