/**
 * Losses and their derivatives with respect to each token's log-probability, in plain double
 * arithmetic: no tensor, no device, no automatic differentiation.
 */
@NullMarked
package rubricem.gpu.loss;

import org.jspecify.annotations.NullMarked;
