/** What this machine trains a second, on models of fixed shapes with random weights. */
@NullMarked
package rubricem.gpu.bench;

import org.jspecify.annotations.NullMarked;
